import { expect, test } from 'vitest';

import type { Item } from '../views/transcript-item.ts';
import { stoppedTurns } from './stopped-turn.ts';

const prompt = { type: 'prompt', id: 'p', taken: 'turn-started' };
const call = (tool: string, state: string) => ({ type: 'call', id: tool, tool, state: { type: state } });
const ending = (id: string, type: string) => ({ type: 'ending', id, ending: { type } });
const textsOf = (...items: readonly unknown[]) => [...stoppedTurns(items as readonly Item[])];

test('a stopped turn lists cancelled commands and kept edits', () => {
  expect(
    textsOf(
      prompt,
      call('edit', 'succeeded'),
      ending('e1', 'completed'),
      prompt,
      call('read', 'succeeded'),
      call('write', 'succeeded'),
      call('shell', 'cancelled'),
      call('run_tests', 'cancelled'),
      call('web_fetch', 'cancelled'),
      ending('e2', 'cancelled'),
    ),
  ).toEqual([['e2', ['2 commands cancelled', '1 call cancelled', '1 edit kept']]]);
  expect(textsOf(prompt, call('read', 'succeeded'), ending('e', 'cancelled'))).toEqual([]);
});
