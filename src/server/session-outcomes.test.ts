import { expect, test } from 'vitest';

import type { SessionId } from '../kernel/ids.ts';
import type { Item } from '../views/transcript-item.ts';
import type { Backend } from './backend.ts';
import { createSessionOutcomes } from './session-outcomes.ts';

const id = 'ses_1' as SessionId;
const message = (seq: number, text: string) => ({ type: 'message', id: `${seq}`, at: seq, text });
const ran = (seq: number, output: string, exitCode: number) => ({
  type: 'call',
  id: `${seq}`,
  at: seq,
  tool: 'shell',
  args: '{"command":"npm test"}',
  state: { type: 'succeeded', output, data: { exitCode }, at: seq },
});
const rewound = (seq: number, to: number) => ({
  type: 'notice',
  id: `${seq}`,
  at: seq,
  about: { type: 'rewound', to },
});

async function outcomeOf(items: readonly unknown[]): Promise<unknown> {
  const session = { id, status: async () => ({ seq: 1 }), transcript: async () => ({ items: items as Item[] }) };
  const sessions = { get: async () => session } as unknown as Backend['sessions'];
  return (await createSessionOutcomes({ sessions }).of([id]))[id];
}

test('[C95] the last sentence and the tests of a row are those that a rewind left', async () => {
  const before = [ran(3, 'Tests  45 passed (45)', 0), message(4, 'All 45 tests pass.')];
  const after = [ran(6, 'Tests  2 failed | 43 passed', 1), message(7, 'Two tests fail.')];
  expect([await outcomeOf([...before, ...after]), await outcomeOf([...before, ...after, rewound(8, 4)])]).toEqual([
    { sentence: 'Two tests fail.', added: 0, removed: 0, tests: 'failed' },
    { sentence: 'All 45 tests pass.', added: 0, removed: 0, tests: 'passed' },
  ]);
});

test('[C95] a command that counts no tests leaves the row without a result', async () => {
  expect(await outcomeOf([ran(3, 'done', 0), message(4, 'Done.')])).toEqual({
    sentence: 'Done.',
    added: 0,
    removed: 0,
  });
});
