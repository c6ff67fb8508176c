import { expect, test } from 'vitest';

import { shapes } from '../glyphs.ts';
import { createAttention, type AttentionFacts } from './attention.ts';

const idle: AttentionFacts = {
  project: 'shop',
  title: 'Cart total',
  asked: undefined,
  isWorking: false,
  hasFailed: false,
  now: 0,
};
const working = { ...idle, isWorking: true };
const asking = { ...working, asked: { id: 'q_1', effect: 'Deletes dist/old' } };
const written = (sequences: string) => sequences.replaceAll('\u001B', 'ESC').replaceAll('\u0007', 'BEL');

test('[C126] the title says what needs the user, or what works, and is written once', () => {
  const attention = createAttention({ env: {}, glyphs: shapes, notifies: true });
  expect([idle, idle, working, asking, idle].map((facts) => written(attention.look(facts)))).toEqual([
    'ESC]2;shop: Cart totalBEL',
    '',
    'ESC]2;◐ shop: Cart totalBEL',
    'ESC]2;● shop: Deletes dist/oldBEL',
    'ESC]2;shop: Cart totalBEL',
  ]);
  expect(written(attention.end())).toBe('ESC]2;BEL');
  expect(written(attention.look({ ...idle, title: 'a\u0007b\u001B]52;c;x\u0007\nc' }))).toBe(
    'ESC]2;shop: ab cBEL',
  );
  expect(written(attention.look({ ...idle, title: 'a\u202Egpj' }))).toBe('ESC]2;shop: a‹U+202E›gpjBEL');
});

test('[C126] bell and notification come only without focus: on a question, a failure, or after 30 s', () => {
  const attention = createAttention({ env: {}, glyphs: shapes, notifies: true });
  const heard = (facts: AttentionFacts) => attention.look(facts).includes('\u001B]9;');
  expect([working, asking, idle].map(heard)).toEqual([false, false, false]);
  attention.focused(false);
  expect([working, asking, asking, { ...asking, asked: { id: 'q_2', effect: 'Pushes' } }].map(heard)).toEqual([
    false,
    true,
    false,
    true,
  ]);
  expect(heard({ ...idle, now: 29_999 })).toBe(false);
  expect([working, { ...idle, now: 30_000 }].map(heard)).toEqual([false, true]);
  expect([working, { ...idle, hasFailed: true, now: 1 }, { ...idle, hasFailed: true, now: 2 }].map(heard)).toEqual(
    [false, true, false],
  );
});

test.each([
  [{}, 'ESC]9;shop: Needs you: Deletes dist/oldBEL'],
  [{ TERM: 'xterm-kitty' }, 'ESC]99;;shop: Needs you: Deletes dist/oldESC\\'],
  [{ TERM: 'foot' }, 'ESC]777;notify;Rondo;shop: Needs you: Deletes dist/oldBEL'],
  [{ TMUX: '/tmp/tmux' }, 'ESCPtmux;ESCESC]9;shop: Needs you: Deletes dist/oldBELESC\\'],
])('[C126] a terminal gets the sequence that it knows: %j', (env, wanted) => {
  const attention = createAttention({ env, glyphs: shapes, notifies: true });
  attention.look(working);
  attention.focused(false);
  expect(written(attention.look(asking))).toBe(`ESC]2;● shop: Deletes dist/oldBELBEL${wanted}`);
});

test('[C126] progress goes only to terminals that show it, and everything but the title can be turned off', () => {
  const windows = createAttention({ env: { WT_SESSION: '1' }, glyphs: shapes, notifies: true });
  windows.look(idle);
  expect(written(windows.look(working))).toContain('ESC]9;4;3BEL');
  expect(written(windows.end())).toBe('ESC]2;BELESC]9;4;0BEL');
  expect(written(windows.look(idle))).toContain('ESC]9;4;0BEL');
  const quiet = createAttention({ env: { WT_SESSION: '1' }, glyphs: shapes, notifies: false });
  quiet.focused(false);
  expect([working, asking, idle].map((facts) => written(quiet.look(facts)))).toEqual([
    'ESC]2;◐ shop: Cart totalBEL',
    'ESC]2;● shop: Deletes dist/oldBEL',
    'ESC]2;shop: Cart totalBEL',
  ]);
});
