import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { effect, stepSoundly, testSession, testTime, played } from '../../testing/given.ts';
import {
  call,
  chat,
  compactionRequested,
  created,
  interrupted,
  replied,
  task,
  toolSettled,
} from '../../testing/inputs.ts';
import { chooseCut, messageTokens } from './choose-cut.ts';
import { newContext } from '../context.ts';
import { beginSpan, extend, extendQueue, newConversation, type Conversation } from './conversation.ts';
import type { Recorded } from '../event.ts';
import type { SessionId } from '../ids.ts';
import type { InputBody } from '../input.ts';
import { newState, turnOf, type State } from '../state.ts';

function conversationOf(events: readonly Recorded[]): Conversation {
  const conversation = newConversation(testSession);
  for (const recorded of events) extend(conversation, recorded);
  return conversation;
}

describe('where the context is cut', () => {
  const words = (count: number) => 'word'.repeat(count);
  const twoTurns = [
    created(),
    chat(words(30)),
    replied(effect(4), words(30)),
    chat(words(10)),
    replied(effect(9), words(10)),
  ];

  test('[C117][V5] at the start of the turn that keeps as much as fits', () => {
    const { events } = played(...twoTurns, compactionRequested());
    const conversation = conversationOf(events);

    expect(chooseCut(conversation, newContext, { why: 'full', most: 20 })).toEqual({
      index: 2,
      rest: { from: 8 },
    });
    expect(chooseCut(conversation, newContext, { why: 'asked', most: 20 })).toEqual({
      index: 2,
      rest: { from: 8 },
    });
  });

  test('[C116][V5] behind everything where somebody asked and the newest turn is long', () => {
    const { events } = played(...twoTurns, compactionRequested());

    expect(chooseCut(conversationOf(events), newContext, { why: 'asked', most: 19 })).toEqual({
      index: 4,
      rest: { from: 13 },
    });
  });

  test('[C117][V5] inside one huge turn at a step, and its prompts are reported again', () => {
    const { events } = played(
      created({ limits: { contextTokens: 100 } }),
      chat(words(10)),
      replied(effect(4), '', [call('a')]),
      toolSettled(effect(6), words(60)),
      replied(effect(8), '', [call('b')]),
      toolSettled(effect(10), words(30)),
    );
    const conversation = conversationOf(events);

    expect(events.at(-1)?.event.type).toBe('compaction-intended');
    expect(chooseCut(conversation, newContext, { why: 'full', most: 32 })).toEqual({
      index: 3,
      rest: { from: 8, restated: [2] },
    });
    expect(chooseCut(conversation, newContext, { why: 'full', most: 3 })).toEqual({
      index: 5,
      rest: { from: 12, restated: [2] },
    });
  });

  test('[C117][V8] finds no cut if nothing followed the last compaction', () => {
    const conversation = conversationOf(played(...twoTurns, compactionRequested()).events);
    conversation.opening = conversation.messages.length;

    expect(chooseCut(conversation, newContext, { why: 'asked', most: 1000 })).toBeUndefined();
    expect(chooseCut(newConversation(testSession), newContext, { why: 'full', most: 10 })).toBeUndefined();
  });

  test('[C119][V5] in the journal the conversation was forked from, whose later stretches are kept', () => {
    const origin = 'ses_0' as SessionId;
    const { events } = played(...twoTurns);
    const conversation = newConversation(testSession);
    beginSpan(conversation, origin);
    for (const recorded of events) extend(conversation, recorded);
    beginSpan(conversation, testSession);
    const context = {
      ...newContext,
      spans: [
        { session: origin, from: 1, to: 11 },
        { session: origin, from: 20, to: 30 },
      ],
    };

    expect(chooseCut(conversation, context, { why: 'full', most: 20 })).toEqual({
      index: 2,
      rest: {
        from: 1,
        spans: [
          { session: origin, from: 8, to: 11 },
          { session: origin, from: 20, to: 30 },
        ],
      },
    });
    for (const stretch of [
      { session: origin, from: 8, to: 11 },
      { session: origin, from: 1, to: 8 },
    ]) {
      expect(
        chooseCut(conversation, { ...newContext, spans: [stretch] }, { why: 'full', most: 20 })?.rest,
      ).toEqual({
        from: 1,
        spans: [{ ...stretch, from: 8 }],
      });
    }
  });
});

/** Random histories: chats and tasks, queued and steering prompts, calls that run, fail and are cut off. */
type Move = {
  readonly kind: 'chat' | 'steer' | 'task' | 'go-on' | 'call' | 'interrupt' | 'report';
  readonly size: number;
};

const moves = fc.array(
  fc.record<Move>({
    kind: fc.constantFrom(
      'chat',
      'steer',
      'task',
      'go-on',
      'go-on',
      'go-on',
      'call',
      'call',
      'interrupt',
      'report',
    ),
    size: fc.integer({ min: 1, max: 200 }),
  }),
  { minLength: 5, maxLength: 60, size: 'max' },
);

function inputFor(state: State, { kind, size }: Move): InputBody {
  const text = 'x'.repeat(size);
  const activity = turnOf(state)?.activity;
  if (kind === 'steer' || kind === 'chat') return chat(text, kind === 'steer' ? 'steer' : 'queue');
  if (kind === 'task') return task(call('t1'), call('t2'));
  if (kind === 'interrupt') return interrupted;
  if (kind === 'report')
    return { type: 'worker-reported', report: { worker: 'w1' as never, state: 'completed', text: 'done' } };
  switch (activity?.type) {
    case 'calling-model': {
      const calls = kind === 'call' ? [call('a', 'look', {}, { args: text }), call('b')] : [];
      return replied(activity.effect, text, calls, activity.attempt);
    }
    case 'running-calls': {
      const running = activity.calls.find((progress) => progress.type === 'running');
      return running?.type === 'running' ? toolSettled(running.effect, text, running.attempt) : chat(text);
    }
    default:
      return state.queue.paused ? { type: 'queue-changed', change: { type: 'resumed' } } : chat(text);
  }
}

test(
  '[C118][V5][V13] over random histories a cut keeps a whole, well-formed end, and reading it again gives the same',
  { timeout: 60_000 },
  () => {
    let cuts = 0;
    fc.assert(
      fc.property(moves, fc.integer({ min: 1, max: 400 }), fc.constantFrom('full', 'asked'), (walk, most, why) => {
        let state = newState(testSession);
        const events: Recorded[] = [];
        for (const [index, move] of [undefined, ...walk].entries()) {
          const input = move === undefined ? created() : inputFor(state, move);
          const transition = stepSoundly(state, { ...input, at: testTime + index });
          state = transition.state;
          events.push(...transition.events);
        }
        const open = turnOf(state);
        if (open !== undefined && open.activity.type !== 'calling-model') return;
        const conversation = conversationOf(events);
        const cut = chooseCut(conversation, newContext, { why, most });
        if (cut === undefined) return;
        cuts += 1;
        const kept = conversation.messages.slice(cut.index);
        const { from, restated = [] } = cut.rest;
        // Reading from the cut, as on opening, gives the same messages.
        const again = newConversation(testSession);
        for (const recorded of events) if (recorded.seq < from) extendQueue(again, recorded);
        for (const recorded of events) if (recorded.seq >= from) extend(again, recorded);
        expect(again.messages).toEqual(kept);
        // Complete: no result without its call, and no call without its result.
        const called = new Set(
          kept.flatMap((message) => (message.role === 'assistant' ? message.calls.map(({ id }) => id) : [])),
        );
        const strays = kept.filter((message) => message.role === 'tool' && !called.has(message.call));
        expect(strays).toEqual([]);
        // It starts with a user's turn, or restates its prompts.
        const isAtTurn = events[from - 1]?.event.type === 'turn-started';
        expect(isAtTurn || restated.length > 0 || kept.length === 0).toBe(true);
        // If a turn fits, the kept part fits.
        const tokens = kept.reduce((sum, message) => sum + messageTokens(message), 0);
        expect(why === 'asked' || !isAtTurn || tokens <= most).toBe(true);
      }),
      { numRuns: 300, seed: 20_261_116 },
    );
    expect(cuts).toBeGreaterThan(100);
  },
);
