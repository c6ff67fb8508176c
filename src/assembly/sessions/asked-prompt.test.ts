import { expect, test } from 'vitest';

import type { Event, Recorded } from '../../kernel/event.ts';
import type { QuestionId } from '../../kernel/ids.ts';
import { findAskedPrompt } from './asked-prompt.ts';

const by = { type: 'person', id: 'ann', name: 'Ann' } as unknown as Recorded['by'];

function chat(text: string): Event {
  return { type: 'prompt-received', delivery: 'queue', request: { type: 'chat', text, intent: { verb: text } } };
}

const step: Event = { type: 'model-call-intended', reserved: 1 };
const ended: Event = { type: 'turn-ended', ending: { type: 'completed' } };
/** The middle of a long turn. */
const filler = (count: number): readonly Event[] => Array.from({ length: count }, () => step);

/** A journal of these events in pages of at most `most`, like a server's, and the number of reads. */
function journal(events: readonly Event[], most = 1000) {
  const all = events.map((event, index): Recorded => ({ seq: index + 1, at: 0, by, event }));
  let reads = 0;
  return {
    reads: () => reads,
    read: async ({ after, limit }: { readonly after: number; readonly limit: number }) => {
      reads += 1;
      const page = all.slice(after, after + Math.min(limit, most));
      return { events: page, last: all.length };
    },
  };
}

async function asked(events: readonly Event[], event?: number, most?: number) {
  const prompt = await findAskedPrompt(journal(events, most).read, event);
  return prompt === undefined ? undefined : [prompt.request.text, prompt.meaning.intent, prompt.heard];
}

test('the newest prompt is found whatever the length, from the end on', async () => {
  const events = [
    chat('first'),
    { type: 'turn-started', prompt: 1 } as const,
    ...filler(9_000),
    ended,
    chat('second'),
    { type: 'turn-started', prompt: 9_004 } as const,
    step,
  ];
  const { read, reads } = journal(events);
  expect((await findAskedPrompt(read))?.request.text).toBe('second');
  expect(reads()).toBeLessThan(5);
  expect(await asked(events, 5_000)).toEqual(['first', { verb: 'first' }, []]);
  expect(await asked(events, 5_000, 7)).toEqual(['first', { verb: 'first' }, []]);
});

test('an event belongs to the turn it lies in, not to a prompt that waits beside it', async () => {
  const events = [
    chat('running'),
    { type: 'turn-started', prompt: 1 } as const,
    step,
    chat('waiting'),
    step,
    ended,
    { type: 'turn-started', prompt: 4 } as const,
    step,
  ];
  expect(await asked(events, 5)).toEqual(['running', { verb: 'running' }, []]);
  expect(await asked(events, 4)).toEqual(['waiting', { verb: 'waiting' }, []]);
  expect(await asked(events, 8)).toEqual(['waiting', { verb: 'waiting' }, []]);
});

test('an edit, a model and a person each have the last word so far', async () => {
  const edited: Event = {
    type: 'queue-changed',
    change: { type: 'edited', prompt: 1, text: 'other', meaning: { intent: { verb: 'other' } } },
  };
  const answered: Event = {
    type: 'question-answered',
    question: 'q' as QuestionId,
    answer: { type: 'option', option: 'fix' },
    meaning: { intent: { verb: 'fix' } },
  };
  const start: Event = { type: 'turn-started', prompt: 1 };
  expect(await asked([chat('one'), edited, start, step])).toEqual([
    'other',
    { verb: 'other' },
    ['edited while it waited'],
  ]);
  expect(await asked([chat('one'), start, answered, step, ended])).toEqual([
    'one',
    { verb: 'fix' },
    ['asked what was meant: fix'],
  ]);
});

test('after a task, the prompt before it is found; without a prompt, none is', async () => {
  const task: Event = { type: 'prompt-received', delivery: 'queue', request: { type: 'task', calls: [] } };
  const start = (prompt: number): Event => ({ type: 'turn-started', prompt });
  expect(await asked([chat('one'), start(1), ended, task, start(4), ended], 6)).toEqual([
    'one',
    { verb: 'one' },
    [],
  ]);
  expect(await asked([task, start(1), ended])).toBeUndefined();
  expect(await asked([])).toBeUndefined();
});
