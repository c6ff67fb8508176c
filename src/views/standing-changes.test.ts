import { expect, test } from 'vitest';

import type { Item } from './transcript-item.ts';
import { standingChanges } from './standing-changes.ts';

const write = (seq: number): Item =>
  ({
    id: `${seq}`,
    type: 'call',
    tool: 'write',
    args: '{"path":"a.txt","content":"one\\ntwo\\n"}',
    state: { type: 'succeeded' },
  }) as unknown as Item;
const restored = (seq: number, to: number): Item =>
  ({ id: `${seq}`, type: 'notice', about: { type: 'files-restored', to } }) as unknown as Item;

test('[C126] a session’s own changes are without edits that a rewind took back, and with them again if it is reverted', () => {
  expect(standingChanges([write(5), write(9)])).toEqual({ added: 4, removed: 0 });
  expect(standingChanges([write(5), write(9), restored(12, 7)])).toEqual({ added: 2, removed: 0 });
  expect(standingChanges([write(5), restored(12, 1), write(14)])).toEqual({ added: 2, removed: 0 });
  expect(standingChanges([write(5), restored(12, 1), restored(15, 11)])).toEqual({ added: 2, removed: 0 });
});
