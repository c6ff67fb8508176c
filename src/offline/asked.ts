/** One thing that was asked for, in words and as the intent rules understand it. The only file that knows `intent/`. */
import type { Intent } from '../intent/intent.ts';
import { findForbidden } from '../intent/find-forbidden.ts';
import { findPaths, isFile } from '../intent/paths.ts';
import { correctCommand } from '../intent/spelling.ts';
import { splitSteps } from '../intent/split-steps.ts';
import { understand } from '../intent/transducer.ts';
import type { ToolSpec } from '../runtime/tool.ts';
import type { Deed, Facts } from './facts.ts';
import { pathFrom } from './quoted.ts';

export interface Asked {
  /** As it was typed, without a polite opening; never empty lines around it. */
  readonly words: string;
  readonly verb: string;
  /** Whether the verb was recognised, and is not only the default. */
  readonly isKnown: boolean;
  /** A file or folder that is named, or that "it" stands for; without a line number. */
  readonly path?: string;
  /** What "it" stands for: the file that was spoken of last. */
  readonly meant?: string;
  /** Paths as they were typed. */
  readonly paths: readonly string[];
  /** A named symbol or quoted text. */
  readonly name?: string;
  readonly today: string;
  readonly tools: ReadonlyMap<string, ToolSpec>;
  readonly prompts: readonly string[];
  readonly deeds: readonly Deed[];
}

export interface AskedStep {
  readonly asked: Asked;
  /** To the step before it. */
  readonly relation: 'sequential' | 'parallel' | 'conditional' | 'fallback';
}

export interface Understood {
  readonly whole: Asked;
  /** Ways to cut it into pieces, finest first. They may cut through what belongs together. */
  readonly cuts: readonly (readonly AskedStep[])[];
  /** The steps that the rules are sure of, each with a verb of its own; empty where it is one. */
  readonly steps: readonly AskedStep[];
  readonly readOnly: boolean;
}

export function readRequest(facts: Facts): Understood {
  const history: Intent[] = [];
  for (const prompt of facts.earlier) history.push(remembered(prompt, history));
  const intent = understand(facts.prompt, { history });
  const askedOf = (text: string, known: readonly Intent[]) =>
    toAsked(text, { intent: understand(text, { history: known }), history: known, facts });
  const stepsOf = (pieces: readonly { readonly text: string; readonly relation: AskedStep['relation'] }[]) => {
    const known = [...history];
    return pieces.map(({ text, relation }): AskedStep => {
      const asked = askedOf(text, known);
      known.push(remembered(text, known));
      return { asked, relation };
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
    whole: toAsked(prompt, { intent, history, facts }),
    cuts: [finer, pieces, intent.steps].filter(({ length }) => length > 1).map(stepsOf),
    steps: stepsOf(intent.steps),
    readOnly: intent.readOnly,
  };
}

/** What must be left as it is holds at the gate, and is nothing to do. */
function wantedOf(prompt: string): string {
  const rest = findForbidden(prompt)
    .rest.replace(/^[\s,;.:]*(?:(?:and|but|then)\b[\s,]*)?/i, '')
    .trim();
  return rest === '' ? prompt : rest;
}

/** After a rename "it" is the new name. */
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

function toAsked(text: string, { intent, history, facts }: Reading): Asked {
  const { earlier, prompt, today, tools, deeds } = facts;
  const words = withoutOpening(text);
  const paths = findPaths(words);
  const { target } = intent;
  const meant = pronoun.test(words) ? history.findLast(isPlace)?.target?.text : undefined;
  const path = paths.find(isFile) ?? paths[0] ?? (isPlace(intent) ? target?.text : meant);
  return {
    words,
    verb: intent.verb,
    isKnown: intent.by !== 'default',
    ...(path !== undefined && { path: path.replace(/:\d+(?:[:-]\d+)?$/, '') }),
    ...(meant !== undefined && { meant }),
    paths,
    ...(target !== undefined && !isPlace(intent) && { name: target.text }),
    today,
    tools,
    prompts: [...earlier, prompt],
    deeds,
  };
}

const pronoun = /\b(?:it|(?:this|that|the same) file)\b/i;

function isPlace({ target }: Intent): boolean {
  return target?.type === 'file' || target?.type === 'path';
}

/** A path that was typed, or the file that "it" stands for. */
export function namedPath(said: string, { meant }: Asked): string | undefined {
  return /^(?:it|this|that)[.!]?$/i.test(said.trim()) ? meant : pathFrom(said);
}

const imperative =
  'list|show|run|find|search|grep|read|print|open|explain|describe|create|write|delete|remove|rename|move|append|replace|tell|summari[sz]e|execute';
const andThen = new RegExp(`(?:,\\s*)?\\s+and\\s+(?=(?:also\\s+)?(?:${imperative})\\b)`, 'gi');

/** "list the files and run the tests"; what stands in quotes is never cut. */
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

/** It holds for the whole request, which is read without it. */
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
