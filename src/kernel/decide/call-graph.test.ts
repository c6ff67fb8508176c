import { describe, expect, test } from 'vitest';

import { effect } from '../../testing/given.ts';
import { call } from '../../testing/inputs.ts';
import { duplicateCall, graphProblems, readyCalls } from './call-graph.ts';
import type { Call, CallProgress } from '../call.ts';
import type { CallId } from '../ids.ts';

interface Node {
  readonly after?: string;
  readonly order?: 'exclusive' | 'parallel';
}

/** Calls by name: `{ b: { after: 'a' }, … }`; spaces separate several names in `after`. */
function calls(nodes: Record<string, Node>): readonly Call[] {
  return Object.entries(nodes).map(([id, { after, order = 'parallel' as const }]) =>
    call(id, 'look', { order }, after === undefined ? {} : { after: after.split(' ') as CallId[] }),
  );
}

const planned = (list: readonly Call[]): readonly CallProgress[] =>
  list.map((one) => ({ type: 'planned', call: one }));

/** The calls that start together, round by round, if every call ends before the next round. */
function rounds(nodes: Record<string, Node>): readonly string[] {
  let progress = planned(calls(nodes));
  const list: string[] = [];
  for (;;) {
    const ready = readyCalls(progress).map(({ call: { id } }) => id);
    if (ready.length === 0) break;
    list.push(ready.join(' '));
    progress = progress.map((one) =>
      one.type !== 'settled' && ready.includes(one.call.id)
        ? { type: 'settled', id: one.call.id, result: 'success' }
        : one,
    );
  }
  const stuck = progress.filter(({ type }) => type !== 'settled');
  return stuck.length === 0 ? list : [...list, `${stuck.length} stuck`];
}

describe('the order of calls', () => {
  test.for<{ name: string; nodes: Record<string, Node>; order: readonly string[] }>([
    { name: 'calls that are safe side by side start together', nodes: { a: {}, b: {}, c: {} }, order: ['a b c'] },
    {
      name: 'a diamond runs from its tip to its foot',
      nodes: { d: { after: 'b c' }, b: { after: 'a' }, c: { after: 'a' }, a: {} },
      order: ['a', 'b c', 'd'],
    },
    {
      name: 'an exclusive call waits for all before it and holds up all behind it',
      nodes: { a: {}, b: {}, x: { order: 'exclusive' }, c: {} },
      order: ['a b', 'x', 'c'],
    },
    {
      name: 'exclusive calls keep their order',
      nodes: { x: { order: 'exclusive' }, y: { order: 'exclusive' } },
      order: ['x', 'y'],
    },
    {
      name: 'a stated order overrules the listed one',
      nodes: { x: { order: 'exclusive', after: 'y' }, y: { order: 'exclusive' } },
      order: ['y', 'x'],
    },
    {
      name: 'stated and listed order never wait for each other in a circle',
      nodes: {
        x: { order: 'exclusive', after: 'z' },
        y: { order: 'exclusive' },
        z: { order: 'exclusive' },
      },
      order: ['y', 'z', 'x'],
    },
    {
      name: 'nor do they with a parallel call in the circle',
      nodes: { a: { after: 'c' }, x: { order: 'exclusive' }, c: {} },
      order: ['x', 'c', 'a'],
    },
  ])('[C8][O1] $name', ({ nodes, order }) => {
    expect(rounds(nodes)).toEqual(order);
  });

  test('[C8][O1] nothing starts beside an exclusive call that runs or may have run', () => {
    const [x, a] = calls({ x: { order: 'exclusive' }, a: {} });
    if (x === undefined || a === undefined) throw new Error('two calls');

    for (const type of ['running', 'unsure'] as const) {
      const started = { type, call: x, effect: effect(1), attempt: 1, question: 'q' } as CallProgress;
      expect(readyCalls([started, { type: 'planned', call: a }])).toEqual([]);
      expect(readyCalls([{ type: 'planned', call: a }, started])).toEqual([]);
    }
  });

  test('[C8][O1] a failed or refused call counts as ended', () => {
    const [, b] = calls({ a: {}, b: { after: 'a' } });
    if (b === undefined) throw new Error('two calls');
    const next: CallProgress = { type: 'planned', call: b };

    for (const result of ['success', 'error', 'cancelled', 'refused'] as const) {
      expect(readyCalls([{ type: 'settled', id: 'a' as CallId, result }, next])).toEqual([next]);
    }
  });
});

describe('calls that can never start', () => {
  const itself = 'It waits, directly or through others, for itself.';
  const unknown = (id: string) => `It waits for the call ${id}, which is not part of this reply.`;

  test.for<{ name: string; nodes: Record<string, Node>; problems: Record<string, string> }>([
    { name: 'none without `after`', nodes: { a: {}, b: {} }, problems: {} },
    { name: 'none in a sound graph', nodes: { a: {}, b: { after: 'a' }, c: { after: 'a b' } }, problems: {} },
    { name: 'one that waits for itself', nodes: { a: { after: 'a' } }, problems: { a: itself } },
    {
      name: 'those on a circle, but not one behind it',
      nodes: { a: { after: 'b' }, b: { after: 'a' }, c: { after: 'b' } },
      problems: { a: itself, b: itself },
    },
    {
      name: 'one that waits for an unknown call, but not one behind it',
      nodes: { a: { after: 'z' }, b: { after: 'a' } },
      problems: { a: unknown('z') },
    },
  ])('[C8][O2] $name', ({ nodes, problems }) => {
    expect(Object.fromEntries(graphProblems(planned(calls(nodes))))).toEqual(problems);
  });
});

test('[O3] a name that two calls share is found', () => {
  expect(duplicateCall([call('a'), call('b'), call('a')])).toBe('a');
  expect(duplicateCall([call('a'), call('b')])).toBeUndefined();
});
