import { expect, test } from 'vitest';

import type { RegisteredNode } from '../../ports/nodes.ts';
import { createAssertionCheck, createNodeKey, isAssertion } from './assertion.ts';

const ada = { type: 'person', name: 'Ada' } as const;
const asserted = { from: 'owner-a', session: 'ses_1', person: ada, role: 'viewer' } as const;

function nodeA(publicKey: string, more?: Partial<RegisteredNode>): RegisteredNode {
  return {
    name: 'a',
    labels: [],
    capacity: 1,
    version: '0.1.0',
    reader: 1,
    publicKey,
    startedAt: 0,
    isDraining: false,
    owner: 'owner-a',
    host: 'host-a',
    pid: 1,
    isAlive: true,
    silentMs: 0,
    sessions: 0,
    ...more,
  };
}

/** Node a with its key, and node b, which checks. */
function place(more?: Partial<RegisteredNode>) {
  const key = createNodeKey();
  const clock = { now: 1_000_000 };
  const node = nodeA(key.publicKey, more);
  const check = createAssertionCheck({
    self: 'owner-b',
    find: (owner) => Promise.resolve(owner === 'owner-a' ? node : undefined),
    now: () => clock.now,
  });
  return { key, clock, check, assert: (to = 'owner-b') => key.assert({ ...asserted, to }, clock.now) };
}

test('[C153] a node is believed about a person, a session and a role', async () => {
  const { check, assert } = place();
  const token = assert();
  expect(isAssertion(token)).toBe(true);
  expect(isAssertion('rondo_secret')).toBe(false);
  expect(await check.accept(token)).toEqual(asserted);
});

test('[C153] a statement is accepted once', async () => {
  const { check, assert } = place();
  const token = assert();
  await check.accept(token);
  expect(await check.accept(token)).toEqual({ refused: 'It was used before.' });
  expect(await check.accept(assert())).toEqual(asserted);
});

test.each([
  [60_000, undefined],
  [60_001, 'It was made 60 s ago. Check the clocks of both nodes.'],
  [-5000, undefined],
  [-5001, 'It was made -5 s ago. Check the clocks of both nodes.'],
])('[C153] a statement that is %i ms old is refused or not', async (age, refused) => {
  const { check, clock, assert } = place();
  const token = assert();
  clock.now += age;
  expect(await check.accept(token)).toEqual(refused === undefined ? asserted : { refused });
});

test('[C153] a statement for another node is refused', async () => {
  const { check, assert } = place();
  expect(await check.accept(assert('owner-c'))).toEqual({ refused: 'It is meant for another node.' });
});

test('[C153] a forged statement is refused: another key, a changed body, no signature, nonsense', async () => {
  const { check, assert, clock } = place();
  const forged = createNodeKey().assert({ ...asserted, to: 'owner-b' }, clock.now);
  expect(await check.accept(forged)).toEqual({ refused: "Node a didn't sign it." });
  const [kind = '', body = '', signature = ''] = assert().split('.');
  const statement = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
  const changed = Buffer.from(JSON.stringify({ ...statement, role: 'owner' })).toString('base64url');
  expect(await check.accept(`${kind}.${changed}.${signature}`)).toEqual({ refused: "Node a didn't sign it." });
  expect(await check.accept(`${kind}.${body}.`)).toEqual({ refused: "Node a didn't sign it." });
  for (const nonsense of ['node.', 'node.e30.x', 'node.AAAA.AAAA', `node.${body}x.${signature}`]) {
    expect(await check.accept(nonsense)).toHaveProperty('refused');
  }
});

test('[C153] a node that is gone or unknown is not believed', async () => {
  const gone = place({ isAlive: false });
  expect(await gone.check.accept(gone.assert())).toEqual({
    refused: 'No living node has the owner id owner-a.',
  });
  const unknown = place();
  const token = unknown.key.assert({ ...asserted, from: 'owner-x', to: 'owner-b' }, unknown.clock.now);
  expect(await unknown.check.accept(token)).toEqual({ refused: 'No living node has the owner id owner-x.' });
});
