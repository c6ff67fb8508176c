/** An empty session: version, folder, what runs without asking, and the folder's recent sessions. */
import type { DirectoryEntry } from '../../views/directory.ts';
import { cut, padded, spread } from '../lines/fit.ts';
import { innerWidth, type Look } from '../lines/look.ts';
import { sessionRow } from './session-rows.ts';

export interface StartFacts {
  readonly version: string;
  readonly project: string;
  readonly branch: string | undefined;
  readonly model: string;
  readonly recent: readonly DirectoryEntry[];
}

const mostRecent = 5;

export function startLines(
  { version, project, branch, model, recent }: StartFacts,
  look: Look,
): readonly string[] {
  const { paint } = look;
  const width = innerWidth(look);
  const head = [
    `  ${paint.strong(`Rondo ${version}`)}`,
    `  ${project}${branch === undefined ? '' : `  ${paint.ink2(branch)}`}`,
    '',
    '',
  ];
  if (recent.length > 0) {
    return [
      ...head,
      `  ${paint.strong('Recent sessions')}`,
      ...recent.slice(0, mostRecent).map((entry) => {
        const { glyph, label, detail, note } = sessionRow(entry, look);
        const title = padded(cut(label, 32), 32);
        return spread(cut(`  ${glyph} ${title}  ${paint.ink2(detail)}`, width - 8), paint.ink3(note), width);
      }),
      '',
      `  ${paint.ink2('Ctrl+P')} ${paint.ink3('all sessions')}   ${paint.ink2('rondo -c')} ${paint.ink3('resume the newest')}`,
    ].map((line) => cut(line, width));
  }
  return [
    ...head,
    `  ${paint.strong('Model')}`,
    `  ${model === 'offline' ? "offline  No key found. The offline model isn't a language model, but it drives the real tools." : model}`,
    `  ${paint.ink2('/model')} ${paint.ink3(model === 'offline' ? 'add a key or a local model' : 'choose another')}   ${paint.ink2('/agent')} ${paint.ink3('use Claude Code, Codex or Gemini CLI')}`,
    '',
    '',
    `  ${paint.strong('Try')}`,
    ...tries.map((text) => `  ${text}`),
    '',
    '',
    `  ${paint.strong('This folder')}`,
    '  Reads and searches run without asking. Edits, commands and the network ask first.',
  ].map((line) => cut(line, width));
}

const tries = ['run the tests', 'find every TODO in src', 'explain what this project does'] as const;
