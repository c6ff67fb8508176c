/** An input on its way through a live session, with whoever waits for what becomes of it. */
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
  /** What the key stands for. Default: the input itself. */
  readonly digest?: string;
}

export interface Letter {
  readonly input: Input;
  readonly sender: LetterSender;
  /** What a new session's first letter comes to, where that was needed before it could be written. */
  readonly ahead?: Transition;
  /** Settles what earlier owners left in flight. */
  readonly recovers?: true;
  /** What its key got before: it is only answered. */
  readonly answered?: Receipt;
}

/** Who waits for what becomes of a letter, and the key it may have been sent with. */
export interface LetterSender {
  readonly key: NewRecord['key'] | undefined;
  readonly resolve: ((receipt: PromptReceipt) => void) | undefined;
  readonly watch: WaitOptions | undefined;
  readonly reject: ((error: Error) => void) | undefined;
  /** In the inbox: settled by the append that it leads to. */
  readonly letter?: number;
}

export const nobody: LetterSender = { key: undefined, resolve: undefined, watch: undefined, reject: undefined };

export interface Stepped {
  readonly letter: Letter;
  readonly transition: Transition;
  /** The transition's events, serialised once for journal and followers. */
  readonly json: readonly string[];
  /** The state before it. */
  readonly from: State;
  /** What an input with the same key got before. */
  readonly before?: Receipt;
}

/** The letters without those whose key an earlier one has: they wait for what becomes of that one. */
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
    // A list of its very length: one that grows is made for sixteen more, and a store in memory keeps it.
    const json = transition.events.map(({ event }) => JSON.stringify(event));
    return { letter, transition, json, from: before };
  });
}

export function recordOf({ letter, json }: Stepped): NewRecord {
  const { at, by } = letter.input;
  const { key } = letter.sender;
  return key === undefined ? { at, by, events: json } : { at, by, events: json, key };
}

/** What the sender learns. */
export function receiptFor({ transition, before, from }: Stepped): Receipt {
  const { events, refusal } = transition;
  if (before !== undefined) return before;
  if (refusal !== undefined) return { type: 'refused', refusal };
  return { type: 'accepted', seq: namedIn(events)?.seq ?? from.seq };
}

export function keyOf(body: InputBody, { key, digest }: Sender): NewRecord['key'] | undefined {
  return key === undefined ? undefined : { key, digest: digest ?? digestOfText(JSON.stringify(body)) };
}
