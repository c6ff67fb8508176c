import { expect, test } from 'vitest';

import { previewOf } from '../kernel/content.ts';
import type { BlobHash, CallId, EffectId, QuestionId, WorkerId } from '../kernel/ids.ts';
import type { CallItem, Item } from '../views/transcript-item.ts';
import { noPaint } from './terminal-style.ts';
import { transcriptLines, wholeTranscriptLines } from './transcript-lines.ts';

const by = { type: 'person', name: 'ann' } as const;
const look = { paint: noPaint };
const lines = (...items: readonly Item[]) =>
  items.flatMap((item) => transcriptLines(item, { ...look, textOf: previewOf }));
const shell = (state: CallItem['state']): CallItem => ({
  type: 'call',
  id: '3',
  at: 0,
  call: 'c1' as CallId,
  tool: 'shell',
  args: '{"command":"npm test"}',
  facts: { access: 'execute', repeat: 'never', order: 'exclusive', runs: 'tool' },
  attempts: 1,
  state,
});
const end = { at: 9, durationMs: 1200 };

test('a call is one line: a mark, what it did, its result and its time', () => {
  expect(
    lines(
      shell({ type: 'planned' }),
      shell({ type: 'asking', question: 'q_1' as QuestionId }),
      shell({ type: 'running' }),
      shell({ type: 'succeeded', output: '4 passed', data: { exitCode: 0 }, ...end }),
      shell({ type: 'succeeded', output: '1 failed', data: { exitCode: 1 }, ...end }),
      shell({ type: 'failed', code: 'timeout', message: 'Took longer\nthan 5s', ...end }),
      shell({ type: 'refused', code: 'policy', reason: 'A rule denies it.', at: 9 }),
      shell({ type: 'refused', code: 'limit', reason: 'The turn ended.', at: 9 }),
      shell({ type: 'cancelled', ...end }),
    ),
  ).toEqual([
    '· Running npm test   planned',
    '? Needs approval: npm test',
    '… Running npm test',
    '✓ Ran npm test   4 passed (1.2s)',
    '✗ Ran npm test   exit 1, 1 failed (1.2s)',
    '✗ Ran npm test   Took longer than 5s (1.2s)',
    '✗ Refused npm test   A rule denies it.',
    '✗ Left out npm test   The turn ended.',
    '■ Ran npm test   stopped (1.2s)',
  ]);
});

test('people, agents and workers are named above their texts', () => {
  const prompt = {
    id: '2',
    at: 0,
    prompt: 2,
    receivedAt: 0,
    by,
    delivery: 'queue',
    taken: 'turn-started',
  } as const;
  expect(
    lines(
      { ...prompt, type: 'prompt', asked: { type: 'chat', text: 'one\ntwo' } },
      { ...prompt, type: 'prompt', asked: { type: 'compact', keep: 'names' } },
      {
        type: 'message',
        id: '4',
        at: 0,
        effect: 'ses_1.4' as EffectId,
        attempts: 1,
        text: 'Half',
        outcome: { type: 'failed', code: 'model-unavailable', message: 'no power', retryable: false },
      },
      { type: 'worker', id: '5', at: 0, worker: 'wrk_smith' as WorkerId, state: 'completed', text: 'all done' },
      { type: 'agent-call', id: '6', at: 0, call: 'x', title: 'Edit a.ts', state: 'completed' },
    ),
  ).toEqual([
    'ann:',
    '  one',
    '  two',
    'ann:',
    '  summarize, and keep: names',
    'agent:',
    '  Half',
    '  The model failed: no power',
    '- Worker smith completed',
    '  all done',
    '- Edit a.ts: completed (reported by the agent, not supervised)',
  ]);
});

test('texts that the journal holds elsewhere are read whole', async () => {
  const text = { blob: 'b1' as BlobHash, length: 9, preview: 'whole' };
  const item: Item = { type: 'agent-message', id: '2', at: 0, agent: 'outside', text };
  expect(await wholeTranscriptLines(item, async () => 'whole text', look)).toEqual(['outside:', '  whole text']);
});
