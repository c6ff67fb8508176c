/**
 * Decides whether to ask the user what they meant, and what to ask. Applies only to turns compiled from their
 * intent, and only if guessing would be worse than asking:
 *
 * 1. Nothing was recognized, or no persona serves the verb.
 * 2. A model understood it and isn't sure (under .7).
 * 3. The two best verbs are close and differ in what they may change.
 * 4. The named file doesn't exist, and others have similar names.
 *
 * It asks one question with options. Each option states the resulting intent. A typed verb never causes a question.
 */
import type { Category, IntentChoice, Intent } from '../words/intent.ts';
import { differInChange } from './match-verb.ts';
import type { TargetMatch } from './match-target.ts';
import { understand } from './transducer.ts';
import { findVerb, type Verb, type VerbTable } from '../words/verb.ts';
import { optional } from '../../kernel/optional.ts';

interface IntentQuestion {
  readonly text: string;
  readonly choices: readonly IntentChoice[];
}

/** Below this confidence, a model's reading causes a question. */
const sure = 0.7;
const mostChoices = 5;
/** The options if nothing was recognized: one of each kind of work. */
const offered = ['explain', 'fix', 'implement', 'review', 'test'];

export function questionAbout(intent: Intent, table: VerbTable, target?: TargetMatch): IntentQuestion | undefined {
  return aboutVerb(intent, table) ?? aboutTarget(intent, target);
}

function aboutVerb(intent: Intent, table: VerbTable): IntentQuestion | undefined {
  if (intent.by === 'typed') return undefined;
  const verb = findVerb(table, intent.verb);
  if (intent.by === 'default' || verb === undefined) {
    return { text: 'What should I do?', choices: offered.flatMap((name) => choiceOf(findVerb(table, name))) };
  }
  const [other] = intent.ambiguity;
  if (other !== undefined && differInChange(intent.category, other.category)) {
    return either([verb, findVerb(table, other.verb)]);
  }
  if (intent.by !== 'model' || intent.confidence >= sure) return undefined;
  const rest = offered.filter((name) => name !== intent.verb).map((name) => findVerb(table, name));
  return {
    text: `Shall I ${wordsOf(intent.verb)}, or do something else?`,
    choices: [verb, ...rest].flatMap(choiceOf).slice(0, mostChoices),
  };
}

function either(verbs: readonly (Verb | undefined)[]): IntentQuestion {
  const candidates = verbs.filter((verb) => verb !== undefined);
  return {
    text: `Shall I ${candidates.map(({ name }) => wordsOf(name)).join(' or ')}?`,
    choices: candidates.flatMap(choiceOf),
  };
}

function aboutTarget({ target }: Intent, match: TargetMatch | undefined): IntentQuestion | undefined {
  if (target === undefined || match?.type !== 'unsure') return undefined;
  const choices = match.candidates
    .slice(0, mostChoices - 1)
    .map((path): IntentChoice => ({ label: path, target: path }));
  const text =
    match.why === 'several'
      ? `Which ${target.text} do you mean?`
      : `There is no ${target.text}. Which file do you mean?`;
  return { text, choices: [...choices, { label: `${target.text}, as I wrote it` }] };
}

/** The intent after an answer: that of the choice, or of the user's own words. */
export function answeredIntent(intent: Intent, answer: string, table: VerbTable): Intent {
  const { choices = [], matched: _, ...rest } = intent;
  const settled: Intent = { ...rest, ambiguity: [], confidence: 1, by: 'person' };
  const words = answer.trim().toLowerCase();
  const picked = choices.find(({ label, verb, target }) =>
    [label, verb, target].some((name) => name?.toLowerCase() === words),
  );
  if (picked !== undefined) return withChoice(settled, picked, table);
  const meaning = understand(answer, { verbs: table });
  const target = meaning.target ?? intent.target;
  const readOnlyBecause = intent.readOnlyBecause ?? meaning.readOnlyBecause;
  const named: Intent = {
    ...settled,
    readOnly: intent.readOnly || meaning.readOnly,
    ...optional({ readOnlyBecause, target }),
  };
  // Words that name no verb describe the work, not its kind.
  return meaning.by === 'default' ? named : { ...named, verb: meaning.verb, category: meaning.category };
}

function withChoice(intent: Intent, { verb: name, target }: IntentChoice, table: VerbTable): Intent {
  const verb = name === undefined ? undefined : findVerb(table, name);
  return {
    ...intent,
    ...(verb !== undefined && { verb: verb.name, category: verb.category }),
    ...(target !== undefined && { target: { type: 'file', text: target } }),
  };
}

function choiceOf(verb: Verb | undefined): readonly IntentChoice[] {
  if (verb === undefined) return [];
  const { name, category } = verb;
  return [{ label: `${wordsOf(name)} (${changes(category)})`, verb: name }];
}

function changes(category: Category): string {
  return category === 'mutation' ? 'changes files' : 'changes nothing';
}

function wordsOf(verb: string): string {
  return verb.replaceAll('_', ' and ');
}
