/**
 * Turns a sentence into an intent by rules alone: pure, synchronous, microseconds.
 *
 * 1. A typed verb (`/fix …`) forces the verb. Otherwise the best match wins. Without a match it is `explain` at .3.
 * 2. If there are several steps, the first that changes something leads, unless it only ends other work (test,
 *    commit).
 * 3. Unmistakable words and dream mode make it read-only. Nothing here lifts that.
 * 4. Equal text and options give an equal intent.
 */
import { findConstraint, withoutWithheld } from './find-constraint.ts';
import { findForbidden } from './find-forbidden.ts';
import { findReadOnly } from './find-read-only.ts';
import { findScope } from './find-scope.ts';
import { findTarget } from './find-target.ts';
import type { Constraint, Intent, IntentStep, Scope, Target } from '../words/intent.ts';
import { confidenceOf, matchVerbs, type VerbMatch } from './match-verb.ts';
import { prepareText } from './prepare-text.ts';
import { shippedVerbs } from './shipped-verbs.ts';
import { splitSteps } from './split-steps.ts';
import { findVerb, type Verb, type VerbTable } from '../words/verb.ts';
import { worded } from './worded.ts';
import { optional } from '../../kernel/optional.ts';

export interface UnderstandOptions {
  readonly verbs?: VerbTable;
  readonly mode?: 'active' | 'dream';
  /** Names in the session's folder that a user may mention without a path. */
  readonly entries?: ReadonlySet<string>;
  /** Earlier intents of the session, newest last. They provide the target of "it". A verb is never inherited. */
  readonly history?: readonly Intent[];
}

/** Another reading within this many points counts as ambiguous. */
const near = 10;
const readLimit = 2_000;

export function understand(text: string, options: UnderstandOptions = {}): Intent {
  const { verbs: table = shippedVerbs, mode = 'active', history = [], entries } = options;
  const typed = readTyped(text, table);
  const words = (typed?.rest ?? text).slice(0, readLimit);
  const { not, spared, rest: wanted } = findForbidden(words, entries);
  const steps = typed === undefined ? findSteps(wanted, table) : [];
  const matches = matchVerbs(prepareText(wanted), table);
  const chosen = typed?.verb ?? leadOf(steps, table) ?? matches[0]?.verb;
  const verb = chosen ?? fallbackVerb(table);
  const match = steps.length > 0 ? matchOfLead(steps, verb, table) : matches[0];
  const target = findTarget(withoutWithheld(wanted)) ?? inheritedTarget(wanted, history);
  const constraint = findConstraint(wanted, not);
  const scope = findScope(wanted, target);
  const confirm = confirmationOf(verb, scope, words);
  const isDream = mode === 'dream' || (typed !== undefined && verb.name === 'dream');
  const readOnlyBecause = findReadOnly(words);
  return intentOf(
    { verb, target, constraint, scope, confirm },
    {
      confidence: typed === undefined ? confidenceOf(match?.score ?? 0) : 1,
      ambiguity: typed === undefined && steps.length === 0 ? ambiguityOf(matches) : [],
      steps,
      readOnly: isDream || readOnlyBecause !== undefined,
      ...optional({ readOnlyBecause }),
      ...(spared.paths.length > 0 && { spared: spared.paths, sparedBecause: spared.words }),
      by: typed !== undefined ? 'typed' : chosen === undefined ? 'default' : 'rules',
      ...(typed === undefined && match !== undefined && { matched: match.matched }),
    },
  );
}

interface Findings {
  readonly verb: Verb;
  readonly target: Target | undefined;
  readonly constraint: Constraint | undefined;
  readonly scope: Scope;
  readonly confirm: Intent['confirm'] | undefined;
}

type Rest = Omit<Intent, 'category' | 'verb' | 'target' | 'constraint' | 'scope' | 'confirm' | 'choices'>;

function intentOf({ verb, target, constraint, scope, confirm }: Findings, rest: Rest): Intent {
  return {
    category: verb.category,
    verb: verb.name,
    ...optional({ target, constraint }),
    ...rest,
    scope,
    ...optional({ confirm }),
  };
}

function readTyped(text: string, table: VerbTable): { readonly verb: Verb; readonly rest: string } | undefined {
  const match = /^\s*\/([a-z][a-z_-]*)(?:\s+|$)/i.exec(text);
  const verb = match === null ? undefined : findVerb(table, (match[1] ?? '').toLowerCase().replaceAll('-', '_'));
  return match === null || verb === undefined ? undefined : { verb, rest: text.slice(match[0].length) };
}

function findSteps(text: string, table: VerbTable): readonly IntentStep[] {
  const pieces = splitSteps(text);
  if (pieces.length < 2) return [];
  const steps: IntentStep[] = [];
  for (const { text: piece, relation } of pieces) {
    const [best] = matchVerbs(prepareText(piece), table);
    const last = steps.at(-1);
    if (best === undefined || (last !== undefined && best.score < 30)) {
      if (last === undefined) return [];
      steps[steps.length - 1] = { ...last, text: `${last.text}, ${piece}` };
      continue;
    }
    const target = findTarget(piece);
    steps.push({
      text: piece,
      verb: best.verb.name,
      category: best.verb.category,
      relation: last === undefined ? 'sequential' : relation,
      ...optional({ target }),
    });
  }
  return steps.length > 1 ? steps : [];
}

function leadOf(steps: readonly IntentStep[], table: VerbTable): Verb | undefined {
  const verbs = steps.flatMap(({ verb }) => findVerb(table, verb) ?? []);
  return verbs.find(({ category, closing }) => category === 'mutation' && closing !== true) ?? verbs[0];
}

function matchOfLead(steps: readonly IntentStep[], verb: Verb, table: VerbTable): VerbMatch | undefined {
  const step = steps.find((each) => each.verb === verb.name);
  return step === undefined ? undefined : matchVerbs(prepareText(step.text), table)[0];
}

function ambiguityOf(matches: readonly VerbMatch[]): Intent['ambiguity'] {
  const best = matches[0]?.score ?? 0;
  return matches
    .slice(1)
    .filter(({ score }) => best - score <= near)
    .map(({ verb, score }) => ({ verb: verb.name, category: verb.category, score: Math.round(score * 10) / 10 }));
}

function inheritedTarget(text: string, history: readonly Intent[]): Target | undefined {
  const earlier = history.findLast(({ target }) => target !== undefined)?.target;
  return earlier !== undefined && refersBack.test(text) ? earlier : undefined;
}

/** "this repository" names the place where the session works, whatever was the last target. */
const refersBack =
  /\b(?:it|them|the same|(?:this|that)(?!\s+(?:repo(?:sitory)?|project|folder|directory|code ?base|session|conversation)\b))\b/i;

function confirmationOf(verb: Verb, scope: Scope, text: string): Intent['confirm'] | undefined {
  if (verb.category === 'mutation' && taking.test(text)) return 'revert';
  const isMass = scope === 'module' || scope === 'codebase';
  return isMass && verb.category === 'mutation' && verb.closing !== true ? 'mass-change' : undefined;
}

const taking = worded(
  ['revert', 'roll', 'undo', 'reset', 'discard'],
  /\b(?:revert|roll(?:ing)? ?back|undo|reset --hard|discard)\b/i,
);

function fallbackVerb({ verbs }: VerbTable): Verb {
  return (
    verbs.get('explain') ?? {
      name: 'explain',
      category: 'query',
      persona: 'general',
      priority: 80,
      synonyms: [],
      patterns: [],
    }
  );
}
