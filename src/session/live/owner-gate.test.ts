import { expect, test } from 'vitest';

import type { Standing } from '../../ports/lease.ts';
import type { Decision } from '../../kernel/decision.ts';
import { effect, given } from '../../testing/given.ts';
import { call, chat, created, replied } from '../../testing/inputs.ts';
import { createOwnerGate } from './owner-gate.ts';

const decision = (type: Decision['type'], seq: number) => ({ type, effect: effect(seq) }) as unknown as Decision;
const [callModel, runTool, cancel] = [decision('call-model', 4), decision('run-tool', 6), decision('cancel', 6)];

function setUp() {
  const carriedOut: Decision[] = [];
  const lease: { standing: Standing } = { standing: 'sure' };
  const gate = createOwnerGate({
    carryOut: (each) => void carriedOut.push(each),
    store: { leases: { standing: () => lease.standing } },
  });
  const isReached = async (promise: Promise<void>) => {
    let reached = false;
    void promise.then(() => (reached = true));
    await new Promise<void>((resolve) => setImmediate(resolve));
    return reached;
  };
  return { carriedOut, lease, gate, isReached };
}

test('[O5] an owner that is not sure of its lease starts nothing until it is, and keeps the order', () => {
  const { carriedOut, lease, gate } = setUp();
  lease.standing = 'unsure';
  gate.pass([]);
  gate.pass([cancel]);
  expect(carriedOut).toEqual([cancel]);
  gate.pass([callModel]);
  gate.pass([cancel]);
  lease.standing = 'sure';
  gate.pass([runTool]);
  expect(carriedOut).toEqual([cancel]);
  gate.open();
  expect(carriedOut).toEqual([cancel, callModel, cancel, runTool]);
  gate.pass([runTool]);
  expect(carriedOut.slice(4)).toEqual([runTool]);
});

test('[O5] never starts a decision made after the lease lapsed; a recovery decides', () => {
  const { carriedOut, lease, gate } = setUp();
  lease.standing = 'unsure';
  gate.pass([callModel]);
  gate.halt();
  lease.standing = 'sure';
  gate.pass([runTool]);
  gate.open();
  expect(carriedOut).toEqual([]);
  gate.pass([runTool]);
  expect(carriedOut).toEqual([runTool]);
});

test('[O7] an owner that hands over starts no model call; its boundary is reached with the last tool', async () => {
  const { carriedOut, gate, isReached } = setUp();
  const running = given(created(), chat('hello'), replied(effect(4), '', [call('c1')]));
  const boundary = gate.boundary(running.state);
  expect(await isReached(boundary)).toBe(false);
  const over = running.when({
    type: 'tool-settled',
    effect: effect(6),
    attempt: 1,
    result: { type: 'success', output: '' },
  });
  const { state, decisions } = over.transition;
  gate.settled(running.state);
  expect(await isReached(boundary)).toBe(false);
  gate.pass(decisions);
  gate.settled(state);
  expect(await isReached(boundary)).toBe(true);
  expect(decisions.map(({ type }) => type)).toEqual(['call-model']);
  expect(carriedOut).toEqual([]);
  gate.pass([runTool]);
  expect(carriedOut).toEqual([runTool]);
});

test('[O7] an idle session is at its boundary at once', async () => {
  const { gate, isReached } = setUp();
  expect(await isReached(gate.boundary(given(created()).state))).toBe(true);
});
