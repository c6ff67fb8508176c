import { expect, test } from 'vitest';

import { previewOf } from '../../kernel/content.ts';
import type { CallId, EffectId } from '../../kernel/ids.ts';
import type { Ending } from '../../kernel/outcome.ts';
import type { CallItem } from '../../views/transcript-item.ts';
import { answerFrom, permissionOptions } from './permission.ts';
import { promptContent } from './prompt-content.ts';
import { stopReasonOf } from './stop-reason.ts';
import { toolCallOf } from './tool-call-content.ts';

test.for<readonly [Ending, string | undefined]>([
  [{ type: 'completed' }, 'end_turn'],
  [{ type: 'cancelled' }, 'cancelled'],
  [{ type: 'failed', code: 'limit-tokens', message: '' }, 'max_tokens'],
  [{ type: 'failed', code: 'limit-steps', message: '' }, 'max_turn_requests'],
  [{ type: 'failed', code: 'model-refused', message: '' }, 'refusal'],
  [{ type: 'failed', code: 'model-unavailable', message: '' }, undefined],
  [{ type: 'timed-out', message: '' }, undefined],
])('a turn that ended as %j stopped for %s', ([ending, reason]) => {
  expect(stopReasonOf(ending)).toBe(reason);
});

test('a prompt of many parts becomes one text with its mentions in place, and attachments', () => {
  expect(
    promptContent([
      { type: 'text', text: 'Look at' },
      { type: 'resource_link', name: 'x', uri: 'file:///a%20b.ts' },
      { type: 'text', text: ' and say what it does' },
      { type: 'resource', resource: { uri: 'untitled:1', text: 'draft' } },
      { type: 'resource', resource: { uri: 'file:///c.bin', blob: 'AA==', mimeType: 'application/x' } },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    ]),
  ).toEqual({
    text: 'Look at @/a b.ts and say what it does @untitled:1 @/c.bin',
    attachments: [
      { name: 'untitled:1', mediaType: 'text/plain', content: 'draft' },
      { name: '/c.bin', mediaType: 'application/x', content: 'AA==' },
      { name: 'image-3', mediaType: 'image/png', content: 'aGk=' },
    ],
  });
});

test('the answers that are offered come back as ours, and anything else leaves the question open', () => {
  const offered = permissionOptions({
    type: 'approval',
    call: 'c' as CallId,
    tool: 'write',
    rule: 'r',
    reason: 'why',
    grants: ['write(src/**)'],
  });
  expect(offered?.map(({ name }) => name)).toEqual([
    'Allow once',
    'Allow for this session: write(src/**)',
    'Always allow in this project: write(src/**)',
    'Reject',
  ]);
  expect(offered?.map(({ optionId }) => answerFrom({ outcome: 'selected', optionId }))).toEqual([
    { type: 'allow-once' },
    { type: 'allow-session' },
    { type: 'allow-always' },
    { type: 'reject' },
  ]);
  const clarified = permissionOptions({ type: 'clarification', text: 'which?', options: ['reject', 'b'] });
  expect(clarified?.map(({ optionId }) => answerFrom({ outcome: 'selected', optionId }))).toEqual([
    { type: 'option', option: 'reject' },
    { type: 'option', option: 'b' },
    { type: 'reject' },
  ]);
  expect(answerFrom({ outcome: 'cancelled' })).toBeUndefined();
  expect(answerFrom({ outcome: 'selected', optionId: 'made up' })).toBeUndefined();
  expect(permissionOptions({ type: 'clarification', text: 'which?', options: [] })).toBeUndefined();
  expect(permissionOptions({ type: 'form', title: 't', schema: {} })).toBeUndefined();
});

test('an edit is shown as what it replaces, with the place it is at', async () => {
  const edits = [{ old_text: 'a', new_text: 'b' }];
  const item: CallItem = {
    type: 'call',
    id: '7.1',
    at: 0,
    call: 'c' as CallId,
    tool: 'edit',
    args: JSON.stringify({ path: 'src/x.ts', edits }),
    facts: {
      access: 'write',
      paths: [{ path: 'src/x.ts', access: 'write', inside: true }],
      repeat: 'never',
      order: 'exclusive',
      runs: 'tool',
    },
    attempts: 1,
    run: { seq: 8, at: 0 },
    state: { type: 'failed', code: 'x', message: 'no such text', at: 1 },
  };
  expect(await toolCallOf(item, { cwd: '/w', read: async (body) => previewOf(body) })).toEqual({
    toolCallId: 'call-7.1',
    title: 'edit src/x.ts',
    name: 'edit',
    kind: 'edit',
    status: 'failed',
    rawInput: { path: 'src/x.ts', edits },
    locations: [{ path: '/w/src/x.ts' }],
    content: [
      { type: 'diff', path: '/w/src/x.ts', oldText: 'a', newText: 'b' },
      { type: 'content', content: { type: 'text', text: 'no such text' } },
    ],
  });
});

test('what a call prints is told as its newest part, not at every piece', async () => {
  const { createRunningOutput } = await import('./running-output.ts');
  const { newTranscript } = await import('../../views/transcript.ts');
  const { withItem } = await import('../../views/transcript-view.ts');
  let time = 0;
  const told: unknown[] = [];
  const output = createRunningOutput(
    async (update) => void told.push(update),
    () => time,
  );
  const item: CallItem = {
    type: 'call',
    id: '7',
    at: 0,
    call: 'c' as CallId,
    tool: 'shell',
    args: '{}',
    facts: { access: 'execute', repeat: 'never', order: 'exclusive', runs: 'tool' },
    attempts: 1,
    run: { seq: 8, at: 0 },
    state: { type: 'running' },
  };
  const transcript = withItem(newTranscript('ses_1' as Parameters<typeof newTranscript>[0]), item);
  const effect = 'ses_1.8' as EffectId;
  for (const piece of ['a', 'b', 'c']) await output.heard(effect, piece, transcript);
  time = 1000;
  await output.heard(effect, 'd', transcript);
  const update = (text: string) => ({
    sessionUpdate: 'tool_call_update',
    toolCallId: 'call-7',
    content: [{ type: 'content', content: { type: 'text', text } }],
  });
  expect(told).toEqual([update('a'), update('abcd')]);
});
