/**
 * What a yes does, as one sentence: "Deletes dist/old, writes clean.log". The worst effect comes first, and the number
 * of parts is never left out. Lists, cards, toasts and push messages use the same sentence.
 */
import { effectMeanings, type Effect } from '../kernel/effect.ts';
import type { QuestionSubject } from '../kernel/question.ts';
import { optional } from '../kernel/optional.ts';
import { askingParts } from '../views/covering-rule.ts';
import { withParts, type ListedSubject } from '../views/listed-subject.ts';
import type { AskedFacts, OpenQuestion } from '../views/open-question.ts';
import { oneLineWithEnd } from '../views/one-line.ts';
import { partRisk, type PartFacts } from '../views/part-risk.ts';
import { deletedBy, installedBy, writtenBy } from '../views/part-target.ts';
import { visibleLine } from '../views/visible-text.ts';
import { subjectText } from './question.ts';

type Approval = Extract<QuestionSubject, { type: 'approval' }>;

/** Text, and code that is set in another face. */
export interface SentencePart {
  readonly text: string;
  readonly isCode?: true;
}

export function effectSentence(
  asked: ListedSubject,
  facts?: AskedFacts,
  allowedBy?: OpenQuestion['allowedBy'],
): readonly SentencePart[] {
  const about = withParts(asked, facts, allowedBy);
  if (about.type !== 'approval') return [{ text: subjectText(about) }];
  const named = about.worst ?? [];
  const left = (about.parts ?? 1) - Math.max(1, named.length);
  const clauses =
    named.length === 0
      ? clause(about)
      : named
          .map(partClause)
          .flatMap((words, index) => (index === 0 ? words : [{ text: ', ' }, ...lowered(words)]));
  return left > 0 ? [...clauses, { text: ` and ${left} more` }] : clauses;
}

export function effectText(
  about: ListedSubject,
  facts?: AskedFacts,
  allowedBy?: OpenQuestion['allowedBy'],
): string {
  return effectSentence(about, facts, allowedBy)
    .map(({ text }) => text)
    .join('');
}

/** How bad the worst part is. 3: can't be undone. */
export function riskOf(
  about: ListedSubject,
  facts?: AskedFacts,
  allowedBy?: OpenQuestion['allowedBy'],
): 0 | 1 | 2 | 3 {
  if (about.type !== 'approval') return 0;
  const asking = askingParts({ about, ...optional({ facts, allowedBy }) });
  const judged = asking.length > 0 ? asking : worstOf(about);
  return Math.max(...judged.map((part) => partRisk(part).level)) as 0 | 1 | 2 | 3;
}

/** True if Rondo or git can undo all of it. Only then can a person allow it without reviewing its details. */
export function canBeUndone(about: ListedSubject): boolean {
  return (
    about.type === 'approval' &&
    about.options === undefined &&
    worstOf(about).every(
      (part) => partRisk(part).level < 3 && effectMeanings[part.effect ?? 'unknown'].canBeUndone,
    )
  );
}

/** A word for the list: "Deletes", "Network", "Question". */
export function effectTag(about: ListedSubject): {
  readonly text: string;
  readonly tone: 'bad' | 'warn' | 'plain';
} {
  if (about.type !== 'approval') return { text: about.type === 'form' ? 'Form' : 'Question', tone: 'plain' };
  const [{ text, effect = 'unknown' } = { text: '' }] = worstOf(about);
  const level = riskOf(about);
  return {
    text: effect === 'edit' && deletedBy(text) !== undefined ? tags.delete : tags[effect],
    tone: level === 3 ? 'bad' : level === 2 ? 'warn' : 'plain',
  };
}

/** The worst parts of a call, as far as its subject names them. */
function worstOf(about: Approval & Pick<ListedSubject, 'worst'>): readonly PartFacts[] {
  if (about.worst !== undefined) return about.worst;
  const text = about.tool === 'shell' ? (about.unit ?? '') : '';
  return [{ text, effect: effectOf(about), dangers: [] }];
}

/** Records of the first release have no effect. */
function effectOf({ effect, tool }: Approval): Effect {
  if (effect !== undefined) return effect;
  if (tool === 'write' || tool === 'edit') return 'edit';
  if (tool === 'delete') return 'delete';
  return tool === 'web_fetch' || tool === 'web_search' ? 'network' : 'unknown';
}

function clause(about: Approval): readonly SentencePart[] {
  const { tool, unit } = about;
  const verb = toolVerbs[tool];
  if (verb !== undefined) return unit === undefined ? [{ text: verb }] : [{ text: `${verb} ` }, code(unit)];
  if (tool === 'shell' && unit !== undefined)
    return partClause({ text: unit, effect: effectOf(about), dangers: [] });
  return unit === undefined || unit === '' ? [{ text: `Runs ${tool}` }] : [{ text: `Runs ${tool}: ` }, code(unit)];
}

/** Names what is deleted or written instead of the command, if it is plain. */
function partClause({ text, effect = 'unknown' }: PartFacts): readonly SentencePart[] {
  const host = effect === 'network' ? /^reach (.+)$/.exec(text)?.[1] : undefined;
  if (host !== undefined) return [{ text: 'Reaches ' }, code(host)];
  const target = deletedBy(text);
  // Deleted files that Rondo keeps count as an edit, because a rewind restores them.
  if ((effect === 'delete' || effect === 'edit') && target !== undefined)
    return [{ text: 'Deletes ' }, code(target)];
  const made = writtenBy(text);
  if (effect === 'edit' && made !== undefined) return [{ text: 'Writes ' }, code(made)];
  const installed = effect === 'network' ? installedBy(text) : undefined;
  if (installed !== undefined) return [{ text: 'Installs ' }, code(installed)];
  return [{ text: `${verbs[effect]} ` }, code(text)];
}

function lowered([first, ...rest]: readonly SentencePart[]): readonly SentencePart[] {
  return first === undefined
    ? []
    : [{ ...first, text: first.text.charAt(0).toLowerCase() + first.text.slice(1) }, ...rest];
}

function code(text: string): SentencePart {
  return { text: oneLineWithEnd(visibleLine(text)), isCode: true };
}

const toolVerbs: Readonly<Record<string, string>> = {
  read: 'Reads',
  grep: 'Searches for',
  glob: 'Lists',
  write: 'Writes',
  edit: 'Edits',
  delete: 'Deletes',
  web_fetch: 'Fetches',
  web_search: 'Searches the web for',
  git_commit: 'Commits',
  run_tests: 'Runs tests',
};

const verbs: Readonly<Record<Effect, string>> = {
  look: 'Reads with',
  edit: 'Changes files with',
  repository: 'Changes the repository with',
  build: 'Runs',
  network: 'Uses the network with',
  delete: 'Deletes files with',
  outside: 'Leaves the folder with',
  send: 'Sends data with',
  unknown: 'Runs',
};

const tags: Readonly<Record<Effect, string>> = {
  look: 'Reads',
  edit: 'Edits',
  repository: 'Repository',
  build: 'Runs code',
  network: 'Network',
  delete: 'Deletes',
  outside: 'Outside',
  send: 'Sends',
  unknown: 'Unknown effect',
};
