/**
 * A request as one sentence that starts with its effect, worst part first: "Deletes dist/old, writes clean.log".
 * It is derived from the gate's facts alone. Where they name no target, the command itself is the sentence.
 */
import { previewOf } from '../kernel/content.ts';
import type { OpenQuestion } from '../views/open-question.ts';
import { askingParts, judgedParts } from '../views/covering-rule.ts';
import { partRisk, type PartFacts } from '../views/part-risk.ts';
import { visibleLine, visibleText } from '../views/visible-text.ts';
import { capital } from './capital.ts';
import { subjectText } from './question.ts';

type Asked = Pick<OpenQuestion, 'about' | 'facts' | 'allowedBy'>;

export function effectHeading(question: Asked): string {
  const { about, facts } = question;
  if (about.type === 'clarification') return visibleText(previewOf(about.text)).split('\n')[0] ?? '';
  if (about.type !== 'approval') return subjectText(about);
  const isCommand = (facts?.segments ?? []).length > 0;
  const effects = isCommand
    ? partEffects(question)
    : [toolEffect(about.tool, about.unit ?? facts?.paths?.[0]?.path)];
  return capital(effects.join(', '));
}

const fileVerbs: Readonly<Record<string, string>> = {
  edit: 'edits',
  write: 'writes',
  delete: 'deletes',
  read: 'reads',
};

function toolEffect(tool: string, unit: string | undefined): string {
  const target = unit === undefined ? '' : ` ${visibleLine(unit)}`;
  const verb = fileVerbs[tool];
  if (verb !== undefined) return `${verb}${target === '' ? ' a file' : target}`;
  if (tool === 'shell') return unit === undefined ? 'runs a command' : partEffect({ text: unit });
  if (tool === 'web_fetch') return `fetches${target}`;
  if (tool === 'git_commit') return 'commits to git';
  return `calls ${tool}${target}`;
}

/** Each effect once: what asks, then what a rule allows, the worst first. Parts that only read count if they alone ask. */
function partEffects(question: Asked): readonly string[] {
  const asking = askingParts(question);
  const changing = asking.filter(isChanging);
  const covered = judgedParts(question).filter((part) => part.allowing !== undefined && isChanging(part));
  const choice = [...byRisk(changing.length > 0 ? changing : asking), ...byRisk(covered)];
  const texts = [...new Set(choice.map((part) => partEffect(part)))];
  return texts.length > mostEffects
    ? [...texts.slice(0, mostEffects), `${texts.length - mostEffects} more`]
    : texts;
}

function isChanging(part: PartFacts): boolean {
  return partRisk(part).level > 0;
}

function byRisk(parts: readonly PartFacts[]): readonly PartFacts[] {
  return parts.toSorted((a, b) => partRisk(b).level - partRisk(a).level);
}

const mostEffects = 3;

/** One part in words: "Deletes dist/old. Rondo can restore it". Parts that Rondo doesn't know say only their kind. */
export function partSentence(part: PartFacts): string {
  const { level, effect = 'only reads' } = partRisk(part);
  const does = partEffect(part);
  // A danger names the target itself.
  const isKnown = part.dangers.length === 0 && !does.startsWith('runs ');
  if (level === 0 || !isKnown) return capital(visibleLine(effect));
  const isDeletion = does.startsWith('deletes ');
  if (part.effect === 'edit') return `${capital(does)}${isDeletion ? '. Rondo can restore it' : ''}`;
  if (part.effect === 'repository') return capital(does);
  return `${capital(does)}. ${isDeletion && effect === 'deletes files' ? "Can't be restored" : capital(visibleLine(effect))}`;
}

/** Verbs of common programs, with the words that are their targets. */
function partEffect({ text }: Pick<PartFacts, 'text'>): string {
  const line = visibleLine(text);
  const [program = '', ...rest] = line.split(' ');
  const targets = rest.filter((word) => !word.startsWith('-')).join(' ');
  const verb = programVerbs[program];
  if (verb !== undefined && targets !== '') return `${verb} ${targets}`;
  if (/^git commit\b/.test(line)) return 'commits to git';
  const staged = /^git add\b(.*)$/.exec(line)?.[1];
  if (staged !== undefined) return `stages${plainWords(staged)}`;
  const pushed = /^git push\b(.*)$/.exec(line)?.[1];
  if (pushed !== undefined)
    return `pushes${/ (-f|--force\S*)\b/.test(pushed) ? ' by force' : ''}${plainWords(pushed)}`;
  const installed = /^(?:npm|pnpm|yarn|bun) (?:install|add|i) (.+)$/.exec(line)?.[1];
  return installed === undefined ? `runs ${line}` : `installs${plainWords(` ${installed}`)}`;
}

const programVerbs: Readonly<Record<string, string | undefined>> = {
  rm: 'deletes',
  rmdir: 'deletes',
  unlink: 'deletes',
  mkdir: 'creates',
  touch: 'creates',
  tee: 'writes',
  // What a redirection or the sandbox reaches.
  write: 'writes',
  reach: 'reaches',
};

function plainWords(text: string): string {
  return text
    .split(' ')
    .filter((word) => word !== '' && !word.startsWith('-'))
    .map((word) => ` ${word}`)
    .join('');
}

/** Whether a part that asks can't be undone. Such a request needs a second press, and no permanent rule. */
export function isDangerous(question: Asked): boolean {
  const { about, facts } = question;
  if (about.type !== 'approval') return false;
  const isOutside = facts?.paths?.some(({ inside }) => !inside) === true;
  return (
    isOutside ||
    (facts?.dangers ?? []).length > 0 ||
    askingParts(question).some((part) => partRisk(part).level === 3)
  );
}
