import { expect, test } from 'vitest';

import type { EffectId } from '../../kernel/ids.ts';
import { createBroadcast } from './broadcast.ts';
import type { Progress, Update } from '../update.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const piece = (offset: number, text: string, more: Partial<Progress> = {}): Progress => ({
  type: 'progress',
  effect: 'ses_1.4' as EffectId,
  attempt: 1,
  kind: 'text',
  offset,
  text,
  ...more,
});
const gap = (from: number): Update => ({ type: 'gap', from, to: from });

test('a listener is notified at once, one that listens by turns at the end of the turn, of text in one piece', async () => {
  const broadcast = createBroadcast();
  const atOnce: Update[] = [];
  const byTurns: Update[] = [];
  broadcast.listen((update) => atOnce.push(update));
  broadcast.listenByTurns((update) => byTurns.push(update));
  const first = [piece(0, 'One '), piece(4, 'two'), gap(1), piece(7, ' three'), piece(13, '.')];
  for (const update of first) broadcast.tell(update);
  expect([atOnce, byTurns]).toEqual([first, []]);
  await turn();
  expect(byTurns).toEqual([piece(0, 'One two'), gap(1), piece(7, ' three.')]);
  broadcast.tell(piece(14, ' Four'));
  await turn();
  expect([byTurns.length, byTurns.at(-1)]).toEqual([4, piece(14, ' Four')]);
});

test('only what continues right there is joined, and no more than a reader can take at once', async () => {
  const broadcast = createBroadcast();
  const heard: Update[] = [];
  broadcast.listenByTurns((update) => heard.push(update));
  const long = 'x'.repeat(4090);
  const apart = [
    piece(0, 'a'),
    piece(0, 'b', { attempt: 2 }),
    piece(1, 'c', { attempt: 2, kind: 'reasoning' }),
    piece(1, 'd', { effect: 'ses_1.9' as EffectId }),
    piece(7, 'e', { effect: 'ses_1.9' as EffectId }),
    piece(0, 'one', { kind: 'status' }),
    piece(3, 'two', { kind: 'status' }),
    piece(0, long),
    piece(4090, 'seven..'),
  ];
  for (const update of apart) broadcast.tell(update);
  await turn();
  expect(heard).toEqual(apart);
});

test('a newcomer hears nothing from before it came, and the end comes after all that was said', async () => {
  const broadcast = createBroadcast();
  const heard: string[] = [];
  const listen = (name: string) =>
    broadcast.listenByTurns(
      (update) => heard.push(`${name} ${update.type === 'progress' ? update.text : update.type}`),
      () => heard.push(`${name} ends`),
    );
  const leave = listen('anna');
  broadcast.tell(piece(0, 'before'));
  listen('ben');
  broadcast.tell(piece(6, 'after'));
  broadcast.flush();
  leave();
  broadcast.tell(piece(11, 'last'));
  expect(broadcast.listeners()).toBe(1);
  broadcast.end();
  await turn();
  expect(heard).toEqual(['anna before', 'anna after', 'ben after', 'ben last', 'ben ends']);
  expect(broadcast.listeners()).toBe(0);
});
