/** One request, as text and as the intent rules understand it. The only file that imports `intent/`. */
import type { Intent } from '../intent/words/intent.ts';
import { findForbidden } from '../intent/meaning/find-forbidden.ts';
import { findPaths, isFile } from '../intent/meaning/paths.ts';
import { correctCommand } from '../intent/meaning/spelling.ts';
import { splitSteps } from '../intent/meaning/split-steps.ts';
import { understand } from '../intent/meaning/transducer.ts';
import { optional } from '../kernel/optional.ts';
import type { ToolSpec } from '../ports/tool.ts';
import type { Deed, Facts } from './facts.ts';
import { pathFrom } from './quoted.ts';

export interface OfflineRequest {
  /** As typed, without a polite opening or surrounding empty lines. */
  readonly words: string;
  readonly verb: string;
  /** Whether the verb was recognized rather than assumed. */
  readonly isKnown: boolean;
  /** The file or folder that the request names, or that "it" refers to, without a line number. */
  readonly path?: string;
  /** What "it" refers to: the last mentioned file. */
  readonly meant?: string;
  /** Paths as typed. */
  readonly paths: readonly string[];
  /** A named symbol or quoted text. */
  readonly name?: string;
  readonly today: string;
  readonly tools: ReadonlyMap<string, ToolSpec>;
  readonly prompts: readonly string[];
  readonly imported: readonly string[];
  readonly deeds: readonly Deed[];
}

export interface RequestStep {
  readonly request: OfflineRequest;
  /** Relation to the previous step. */
  readonly relation: 'sequential' | 'parallel' | 'conditional' | 'fallback';
}

export interface Understood {
  readonly whole: OfflineRequest;
  /** Possible splits, finest first. A split may separate what belongs together. */
  readonly cuts: readonly (readonly RequestStep[])[];
  /** Steps that the rules are sure of, each with its own verb; empty for a single step. */
  readonly steps: readonly RequestStep[];
  readonly readOnly: boolean;
}

export function readRequest(facts: Facts): Understood {
  const history: Intent[] = [];
  for (const prompt of facts.earlier) history.push(remembered(prompt, history));
  const intent = understand(facts.prompt, { history });
  const requestFrom = (text: string, intents: readonly Intent[]) =>
    toRequest(text, { intent: understand(text, { history: intents }), history: intents, facts });
  const stepsOf = (pieces: readonly { readonly text: string; readonly relation: RequestStep['relation'] }[]) => {
    const intents = [...history];
    return pieces.map(({ text, relation }): RequestStep => {
      const request = requestFrom(text, intents);
      intents.push(remembered(text, intents));
      return { request, relation };
    });
  };
  const prompt = wantedOf(facts.prompt);
  const pieces = splitSteps(prompt);
  const finer = pieces.flatMap(({ text, relation }) =>
    splitAtAnd(text).map((part, index) => ({
      text: part,
      relation: index === 0 ? relation : ('sequential' as const),
    })),
  );
  return {
    whole: toRequest(prompt, { intent, history, facts }),
    cuts: [finer, pieces, intent.steps].filter(({ length }) => length > 1).map(stepsOf),
    steps: stepsOf(intent.steps),
    readOnly: intent.readOnly,
  };
}

/** The gate enforces what must stay unchanged, so it isn't part of the task. */
function wantedOf(prompt: string): string {
  const rest = findForbidden(prompt)
    .rest.replace(/^[\s,;.:]*(?:(?:and|but|then)\b[\s,]*)?/i, '')
    .trim();
  return rest === '' ? prompt : rest;
}

/** After a rename, "it" is the new name. */
function remembered(text: string, history: readonly Intent[]): Intent {
  const intent = understand(text, { history });
  const moved = /\b(?:rename|move|mv)\b/i.test(text) ? findPaths(text).at(-1) : undefined;
  return moved === undefined ? intent : { ...intent, target: { type: 'file', text: moved } };
}

interface Reading {
  readonly intent: Intent;
  readonly history: readonly Intent[];
  readonly facts: Facts;
}

function toRequest(text: string, { intent, history, facts }: Reading): OfflineRequest {
  const { earlier, imported, prompt, today, tools, deeds } = facts;
  const words = withoutOpening(text);
  const paths = findPaths(words);
  const { target } = intent;
  const referent = pronoun.test(words) ? history.findLast(isPlace)?.target?.text : undefined;
  const path = paths.find(isFile) ?? paths[0] ?? (isPlace(intent) ? target?.text : referent);
  return {
    words,
    verb: intent.verb,
    isKnown: intent.by !== 'default',
    ...optional({ path: path?.replace(/:\d+(?:[:-]\d+)?$/, ''), meant: referent }),
    paths,
    ...(target !== undefined && !isPlace(intent) && { name: target.text }),
    today,
    tools,
    prompts: [...earlier, prompt],
    imported,
    deeds,
  };
}

const pronoun = /\b(?:it|(?:this|that|the same) file)\b/i;

function isPlace({ target }: Intent): boolean {
  return target?.type === 'file' || target?.type === 'path';
}

/** A typed path, or the file that "it" refers to. */
export function namedPath(text: string, { meant: referent }: OfflineRequest): string | undefined {
  return /^(?:it|this|that)[.!]?$/i.test(text.trim()) ? referent : pathFrom(text);
}

const imperative =
  'list|show|run|find|search|grep|read|print|open|explain|describe|create|write|delete|remove|rename|move|append|replace|tell|summari[sz]e|execute';
const andThen = new RegExp(`(?:,\\s*)?\\s+and\\s+(?=(?:also\\s+)?(?:${imperative})\\b)`, 'gi');

/** Splits "list the files and run the tests", but never inside quotes. */
export function splitAtAnd(text: string): readonly string[] {
  const masked = text.replaceAll(/"[^"]*"|`[^`]*`|(?<!\w)'[^']*'(?!\w)/g, (quoted) => '·'.repeat(quoted.length));
  const parts: string[] = [];
  let from = 0;
  for (const match of masked.matchAll(andThen)) {
    parts.push(text.slice(from, match.index));
    from = match.index + match[0].length;
  }
  return [...parts, text.slice(from)];
}

const opening =
  /^(?:(?:hi|hey|hello|ok|okay|so|now|then|and|also|first|finally|next|please|pls|kindly|just)\b[\s,]+(?=\S)|(?:can|could|would|will) (?:you|we)\b(?: (?:please|kindly|just|also))*\s+(?=\S)|i(?:'d| would) like (?:you )?to\s+|i (?:want|need) (?:you )?to\s+|let'?s\s+|help me (?:to )?|go ahead and\s+)/i;

/** Applies to the whole request, which is then read without it. */
const saysNothingChanged =
  /^(?:please\s+)?(?:do not|don'?t|never)\s+(?:change|touch|edit|modify)\s+(?:anything|any(?:\s+of\s+the)?\s+files?|a thing)\s*[:;,.–-]+\s*/i;

function withoutOpening(text: string): string {
  let rest = text
    .trim()
    .replace(/^\/[a-z_-]+\s+(?=\S)/, (typed) => typed.slice(1))
    .replace(saysNothingChanged, '');
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest.replace(opening, '');
  }
  const plain = rest.replace(/[\s,]+please\s*[.!?]*$/i, '');
  return plain.replace(/^[a-z]+(?=\s)/, correctCommand);
}
