/**
 * Filters on a channel. Inputs pass the input filters in order, and updates pass the output filters. A filter that
 * returns nothing drops what it got. Filters change what this channel carries, not what the session records.
 */
import type { ClientInput } from '../client-input.ts';
import type { Io } from './io.ts';
import type { Progress, Update } from '../update.ts';

type InputFilter = (input: ClientInput) => ClientInput | undefined | Promise<ClientInput | undefined>;
type OutputFilter = (update: Update) => Update | readonly Update[] | undefined;

/** A channel's filters, in the order they apply. */
export interface IoFilters {
  readonly inputs?: readonly InputFilter[];
  readonly updates?: readonly OutputFilter[];
}

/**
 * Wraps a channel in filters. Filters added later are closer to the session: they see inputs last and updates
 * first.
 */
export function filterIo(io: Io, { inputs = [], updates = [] }: IoFilters): Io {
  return {
    inputs: {
      async *[Symbol.asyncIterator]() {
        for await (const input of io.inputs) {
          let passed: ClientInput | undefined = input;
          for (const filter of inputs) passed = passed && (await filter(passed));
          if (passed !== undefined) yield passed;
        }
      },
    },
    tell(update) {
      let passed: readonly Update[] = [update];
      for (const filter of updates) passed = passed.flatMap((one) => filter(one) ?? []);
      for (const one of passed) io.tell(one);
    },
  };
}

/** Changes the text of prompts. Returning undefined drops the prompt. Other inputs pass. */
export function filterPrompts(change: (text: string) => string | undefined): InputFilter {
  return (input) => {
    if (input.type !== 'chat') return input;
    const text = change(input.text);
    return text === undefined ? undefined : { ...input, text };
  };
}

/**
 * Changes the text that people read: replies, reasoning, outputs and messages. Streamed text is held back until its
 * line is complete, so that `change` sees whole lines and no match is split in two. Call arguments pass unchanged.
 */
export function filterText(change: (text: string) => string): OutputFilter {
  const streams = new Map<string, { held: string; sent: number; last: Progress }>();
  const release = (progress: Progress, text: string, sent: number): Progress => ({
    ...progress,
    offset: sent,
    text,
  });
  const endOf = (effect: string): readonly Update[] => {
    const ended = [...streams].filter(([, { last }]) => last.effect === effect);
    return ended.flatMap(([key, { held, sent, last }]) => {
      streams.delete(key);
      return held === '' ? [] : [release(last, change(held), sent)];
    });
  };
  return (update) => {
    switch (update.type) {
      case 'progress': {
        const key = `${update.effect} ${update.attempt} ${update.kind}`;
        const { held, sent } = (update.offset === 0 ? undefined : streams.get(key)) ?? { held: '', sent: 0 };
        const all = held + update.text;
        const whole = all.slice(0, all.lastIndexOf('\n') + 1);
        const text = whole === '' ? '' : change(whole);
        streams.set(key, { held: all.slice(whole.length), sent: sent + text.length, last: update });
        return text === '' ? undefined : release(update, text, sent);
      }
      case 'event': {
        const { event } = update.recorded;
        const recorded = { ...update.recorded, event: changed(event, change) };
        const ended = 'effect' in event && typeof event.effect === 'string' ? endOf(event.effect) : [];
        return [...ended, { type: 'event', recorded, json: JSON.stringify(recorded.event) }];
      }
      case 'snapshot':
        streams.clear();
        return { ...update, view: changed(update.view, change) };
      case 'gap':
        return update;
    }
  };
}

const readByPeople: ReadonlySet<string> = new Set([
  'text',
  'reasoning',
  'partial',
  'output',
  'message',
  'preview',
]);

function changed<Value>(value: Value, change: (text: string) => string): Value {
  if (Array.isArray(value)) return value.map((one: unknown) => changed(one, change)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, part]: [string, unknown]) => [
    name,
    typeof part === 'string' && readByPeople.has(name) ? change(part) : changed(part, change),
  ]);
  return Object.fromEntries(entries) as Value;
}
