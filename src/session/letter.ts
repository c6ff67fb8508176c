/** An input on its way through a live session, with whoever waits for what becomes of it. */
import type { NewRecord } from '../journal/journal.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Input, InputBody } from '../kernel/input.ts';
import type { State } from '../kernel/state.ts';
import type { Step, Transition } from '../kernel/step.ts';
import { digestOfText } from './input-digest.ts';
import type { PromptReceipt } from './receipt.ts';
import type { WaitOptions } from './turn-watch.ts';

export interface Sender {
  readonly by: Actor;
  readonly key?: string;
  /** What the key stands for. Default: the input itself. */
  readonly digest?: string;
}

export interface Letter {
  readonly input: Input;
  readonly key?: NewRecord['key'];
  readonly resolve?: (receipt: PromptReceipt) => void;
  readonly watch?: WaitOptions;
  readonly reject?: (error: Error) => void;
}

export interface Stepped {
  readonly letter: Letter;
  readonly transition: Transition;
  /** The transition's events, serialised once for journal and followers. */
  readonly json: readonly string[];
}

export function stepAll(step: Step, from: State, letters: readonly Letter[]): readonly Stepped[] {
  let current = from;
  return letters.map((letter) => {
    const transition = step(current, letter.input);
    current = transition.state;
    return { letter, transition, json: transition.events.map(({ event }) => JSON.stringify(event)) };
  });
}

export function recordOf({ letter, json }: Stepped): NewRecord {
  const { at, by } = letter.input;
  return { at, by, events: json, ...(letter.key !== undefined && { key: letter.key }) };
}

export function keyed(body: InputBody, { key, digest }: Sender): Pick<Letter, 'key'> {
  if (key === undefined) return {};
  return { key: { key, digest: digest ?? digestOfText(JSON.stringify(body)) } };
}
