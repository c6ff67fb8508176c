/** An empty session: version, folder, what runs without asking, and the folder's recent sessions. */
import type { SessionHit } from '../../ports/rondo-client.ts';
import { counted, grouped } from '../../wording/counted.ts';
import { shortModel } from '../../wording/short-model.ts';
import type { FolderFacts } from '../chat/folder-facts.ts';
import { wrapped } from '../lines/fit.ts';
import { innerWidth, type Look } from '../lines/look.ts';
import { drawnRows } from './picker-rows.ts';
import { sessionPickerRow, sessionRankOf } from './session-rows.ts';

/** A session, its branch, and what it needs or said last. */
export interface RecentSession {
  readonly entry: SessionHit;
  readonly branch: string | undefined;
  readonly words: string;
}

interface StartFacts {
  readonly version: string;
  readonly project: string;
  readonly branch: string | undefined;
  readonly model: string;
  /** Undefined until it is known. */
  readonly folder: FolderFacts | undefined;
  readonly recent: readonly RecentSession[];
  /** Sessions of all folders. */
  readonly total: number;
}

export const tries = ['explain what this project does', 'run the tests', 'find every TODO in src'] as const;

export function startLines(facts: StartFacts, look: Look): readonly string[] {
  const { paint } = look;
  const { version, project, recent } = facts;
  const head = [
    paint.strong(`Rondo ${version}`),
    [project, paint.ink2(folderText(facts, look))].filter((part) => part !== '').join('  '),
    '',
    '',
  ];
  const lines = recent.length > 0 ? recentLines(facts, look) : firstLines(facts, look);
  return [...head, ...lines].flatMap((line) => (line === '' ? [''] : wrapped(line, innerWidth(look), '  ')));
}

/** `main · 3 changed files · trusted` */
function folderText({ branch, folder, recent }: StartFacts, { glyphs }: Look): string {
  const { changedFiles, files, isTrusted } = folder ?? {};
  return [
    branch ?? '',
    changedFiles === undefined ? '' : changedFiles === 0 ? 'clean' : counted(changedFiles, 'changed file'),
    files === undefined || recent.length > 0 ? '' : counted(files, 'file'),
    isTrusted === true ? 'trusted' : '',
  ]
    .filter((part) => part !== '')
    .join(` ${glyphs.dot} `);
}

function recentLines({ recent, total }: StartFacts, look: Look): readonly string[] {
  const { paint } = look;
  const rows = drawnRows(
    {
      rows: recent,
      selected: -1,
      rowOf({ entry, branch, words }, inner) {
        const row = sessionPickerRow(entry, { rank: sessionRankOf(entry), branch, words }, inner);
        // All of them are sessions of this folder.
        return { ...row, columns: [{ text: branch ?? '' }], group: 'Recent sessions' };
      },
    },
    { ...look, width: innerWidth(look) },
  );
  return [
    paint.strong('Recent sessions'),
    // The picker's column for its selection isn't needed here.
    ...rows.flatMap(({ line, index }) => (index === undefined ? [] : [line.slice(2)])),
    '',
    [key('Ctrl+P', `all ${grouped(total)} sessions`, look), key('rondo -c', 'resume the newest', look)].join(
      '   ',
    ),
  ];
}

function firstLines({ model, folder }: StartFacts, look: Look): readonly string[] {
  const { paint } = look;
  const isOffline = model === 'offline';
  const found = folder?.agents ?? [];
  const agents =
    found.length === 0 ? 'use Claude Code, Codex or Gemini CLI' : `use ${found.join(', ')} (found here)`;
  const without =
    folder?.hasSandbox === true
      ? 'Reads, and edits and commands in the sandbox, run without asking. The rest asks first.'
      : 'Reads and searches run without asking. Edits, commands and the network ask first.';
  return [
    paint.strong('Model'),
    isOffline
      ? "offline  No key found. The offline model isn't a language model, but it drives the real tools."
      : shortModel(model),
    '',
    [
      key('/model', isOffline ? 'add a key or a local model' : 'choose another', look),
      key('/agent', agents, look),
    ].join('   '),
    '',
    '',
    paint.strong('Try'),
    ...tries,
    '',
    '',
    paint.strong('This folder'),
    without,
    ...(folder?.isTrusted === false
      ? [
          `The project's own configuration isn't trusted yet.  ${key('rondo trust --show', 'what it would change', look)}`,
        ]
      : []),
  ];
}

function key(name: string, does: string, { paint }: Look): string {
  return `${paint.ink2(name)} ${paint.ink3(does)}`;
}
