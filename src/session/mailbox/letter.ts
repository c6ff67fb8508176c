/** An input on its way through a live session, with the caller that waits for its outcome. */
import type { NewRecord } from '../../ports/journal.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Input, InputBody } from '../../kernel/input.ts';
import type { State } from '../../kernel/state.ts';
import type { Step, Transition } from '../../kernel/decide/step.ts';
import { digestOfText } from './input-digest.ts';
import { namedIn } from './key-receipt.ts';
import type { PromptReceipt, Receipt, WaitOptions } from '../receipt.ts';

export interface Sender {
  readonly by: Actor;
  readonly key?: string;
  /** The digest of what the key stands for. Default: of the input itself. */
  readonly digest?: string;
}

export interface Letter {
  readonly input: Input;
  readonly sender: LetterSender;
  /** The transition of a new session's first letter, if needed before it could be written. */
  readonly ahead?: Transition;
  /** Settles what earlier owners left in flight. */
  readonly recovers?: true;
  /** The key's earlier receipt. The letter is only answered. */
  readonly answered?: Receipt;
}

/** The caller that waits for a letter's outcome, and the key it may have used. */
export interface LetterSender {
  readonly key: NewRecord['key'] | undefined;
  readonly resolve: ((receipt: PromptReceipt) => void) | undefined;
  readonly watch: WaitOptions | undefined;
  readonly reject: ((error: Error) => void) | undefined;
  /** Its number in the inbox. The resulting append settles it. */
  readonly letter?: number;
}

export const nobody: LetterSender = { key: undefined, resolve: undefined, watch: undefined, reject: undefined };

export interface Stepped {
  readonly letter: Letter;
  readonly transition: Transition;
  /** The transition's events, serialized once for the journal and followers. */
  readonly json: readonly string[];
  /** The state before the transition. */
  readonly from: State;
  /** The receipt of an earlier input with the same key. */
  readonly before?: Receipt;
}

/** Leaves out letters that repeat an earlier letter's key. They wait for that letter's outcome. */
export function withoutRepeats(letters: readonly Letter[]): readonly Letter[] {
  const keys = new Set<string>();
  return letters.filter(({ sender: { key } }) => {
    if (key === undefined) return true;
    const isFirst = !keys.has(key.key);
    keys.add(key.key);
    return isFirst;
  });
}

export function stepAll(step: Step, from: State, letters: readonly Letter[]): readonly Stepped[] {
  let current = from;
  return letters.map((letter) => {
    const before = current;
    if (letter.answered !== undefined) {
      const transition = { state: before, events: [], decisions: [] };
      return { letter, transition, json: [], from: before, before: letter.answered };
    }
    const transition = letter.ahead ?? step(current, letter.input);
    current = transition.state;
    // An array of exact length: a growing array reserves sixteen more slots, and an in-memory store keeps it.
    const json = transition.events.map(({ event }) => JSON.stringify(event));
    return { letter, transition, json, from: before };
  });
}

export function recordOf({ letter, json }: Stepped): NewRecord {
  const { at, by } = letter.input;
  const { key } = letter.sender;
  return key === undefined ? { at, by, events: json } : { at, by, events: json, key };
}

/** The sender's receipt. */
export function receiptFor({ transition, before, from }: Stepped): Receipt {
  const { events, refusal } = transition;
  if (before !== undefined) return before;
  if (refusal !== undefined) return { type: 'refused', refusal };
  return { type: 'accepted', seq: namedIn(events)?.seq ?? from.seq };
}

export function recordKey(body: InputBody, { key, digest }: Sender): NewRecord['key'] | undefined {
  return key === undefined ? undefined : { key, digest: digest ?? digestOfText(JSON.stringify(body)) };
}
