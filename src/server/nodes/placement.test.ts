import { expect, test } from 'vitest';

import { rankOf } from './placement.ts';

const nodes = ['a', 'b', 'c'].map((name) => ({ name, capacity: 10, sessions: 0 }));
const sessions = Array.from({ length: 300 }, (_, index) => `ses_${index}`);
const firstOf = (session: string, among = nodes) =>
  among.find(({ name }) => rankOf(session, name, among) === 0)?.name;

test('[O9] the nodes agree on an order, and each is first for about a third of the sessions', () => {
  expect(nodes.map(({ name }) => rankOf('ses_1', name, nodes)).toSorted((a, b) => a - b)).toEqual([0, 1, 2]);
  const counts = nodes.map(({ name }) => sessions.filter((session) => firstOf(session) === name).length);
  expect(counts.every((count) => count > 70 && count < 130)).toBe(true);
});

test('[O9] a node that leaves moves only its own sessions', () => {
  const left = nodes.filter(({ name }) => name !== 'b');
  const moved = sessions.filter((session) => firstOf(session) !== firstOf(session, left));
  expect(moved.every((session) => firstOf(session) === 'b')).toBe(true);
});

test('[O9] a full node comes after those with room, and an unlisted one last', () => {
  const full = nodes.map((node) => ({ ...node, sessions: node.name === 'a' ? 10 : 0 }));
  expect(sessions.map((session) => rankOf(session, 'a', full))).toEqual(sessions.map(() => 2));
  expect(rankOf('ses_1', 'x', nodes)).toBe(3);
});
