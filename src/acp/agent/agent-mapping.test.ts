import { expect, test } from 'vitest';

import { previewOf } from '../../kernel/content.ts';
import type { CallId, EffectId, QuestionId } from '../../kernel/ids.ts';
import type { Ending } from '../../kernel/outcome.ts';
import type { QuestionSubject } from '../../kernel/question.ts';
import type { CallItem } from '../../views/transcript-item.ts';
import { chosenFrom, permissionOptions, widerOptions } from './permission.ts';
import { promptContent } from './prompt-content.ts';
import { answerFromForm, questionForm } from './question-form.ts';
import { answerFromText, questionText } from './question-text.ts';
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

const approval = {
  type: 'approval',
  call: 'c' as CallId,
  tool: 'write',
  rule: 'r',
  reason: 'why',
  grants: ['write(src/**)'],
} as const;
const selected = (optionId: string) => ({ outcome: 'selected', optionId }) as const;

test('[C157] a permission has one option of each kind, and always asks again with the exact rule', () => {
  const offered = permissionOptions(approval) ?? [];
  expect(offered).toEqual([
    { optionId: 'allow-once', name: 'Allow once', kind: 'allow_once' },
    { optionId: 'wider', name: 'Always allow write(src/**) …', kind: 'allow_always' },
    { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
  ]);
  expect(offered.map(({ optionId }) => chosenFrom(selected(optionId), offered))).toEqual([
    { type: 'answer', answer: { type: 'allow-once' } },
    { type: 'wider' },
    { type: 'answer', answer: { type: 'reject' } },
  ]);
  const wider = widerOptions(approval);
  expect(wider).toEqual([
    { optionId: 'allow-session', name: 'Allow for this session: write(src/**)', kind: 'allow_once' },
    { optionId: 'allow-always', name: 'Always allow in this project: write(src/**)', kind: 'allow_always' },
    { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
  ]);
  expect(wider.map(({ optionId }) => chosenFrom(selected(optionId), wider))).toEqual([
    { type: 'answer', answer: { type: 'allow-session' } },
    { type: 'answer', answer: { type: 'allow-always' } },
    { type: 'answer', answer: { type: 'reject' } },
  ]);
});

test('[C157] a dismissed request, and an option that was not offered, allow nothing', () => {
  const offered = permissionOptions({ ...approval, grants: [] }) ?? [];
  expect(offered.map(({ kind }) => kind)).toEqual(['allow_once', 'reject_once']);
  expect(
    [{ outcome: 'cancelled' } as const, selected('made up'), selected('wider'), selected('allow-always')].map(
      (outcome) => chosenFrom(outcome, offered),
    ),
  ).toEqual(Array.from({ length: 4 }, () => ({ type: 'cancelled' })));
});

test("[S16] a hosted agent's lasting answers are offered by kind, and only where no rule of ours fits", () => {
  const options = [
    { id: 'a', kind: 'allow-once', name: 'Yes' },
    { id: 'b', kind: 'allow-always', name: 'Reject\u202e all' },
    { id: 'c', kind: 'allow-always', name: 'Second' },
    { id: 'd', kind: 'reject-once', name: 'No' },
    { id: 'e', kind: 'reject-always', name: 'Never' },
  ] as const;
  const offered = permissionOptions({ ...approval, grants: [], options });
  expect(offered?.map(({ name, kind }) => [kind, name])).toEqual([
    ['allow_once', 'Allow once'],
    ['allow_always', 'Always allow ("Reject‹U+202E› all")'],
    ['reject_once', 'Reject'],
    ['reject_always', 'Always reject ("Never")'],
  ]);
  expect(chosenFrom(selected('option:b'), offered ?? [])).toEqual({
    type: 'answer',
    answer: { type: 'option', option: 'b' },
  });
  expect(permissionOptions({ ...approval, options })?.map(({ optionId }) => optionId)).toEqual([
    'allow-once',
    'wider',
    'reject',
    'option:e',
  ]);
});

test('[C157] a choice among equals is a form or text, never a permission', () => {
  const which = { type: 'clarification', text: 'which?', options: ['red', 'blue'] } as const;
  const one = { id: 'a', kind: 'allow-once', name: 'Plan A' } as const;
  const equals = { ...approval, options: [one, { ...one, id: 'b', name: 'Plan B' }] };
  const form = { type: 'form', title: 't', schema: { properties: { name: { type: 'string' } } } } as const;
  expect([which, equals, form].map(permissionOptions)).toEqual([undefined, undefined, undefined]);
  expect(questionForm(which)).toEqual({
    type: 'object',
    properties: {
      choice: {
        type: 'string',
        title: 'Choice',
        oneOf: [
          { const: 'red', title: 'red' },
          { const: 'blue', title: 'blue' },
        ],
      },
      answer: { type: 'string', title: 'Another answer' },
    },
  });
  expect(
    [{ choice: 'blue' }, { choice: 'green' }, { answer: 'both', choice: 'red' }, {}].map((filled) =>
      answerFromForm(which, filled),
    ),
  ).toEqual([{ type: 'option', option: 'blue' }, undefined, { type: 'text', text: 'both' }, undefined]);
  const open = (about: QuestionSubject) => ({ id: 'q_1' as QuestionId, openedAt: 0, about });
  expect(questionText(open(which), 'which?')).toBe(
    'which?\n\n1. red\n\n2. blue\n\nReply with a number, an option or your own answer.',
  );
  expect(['2', 'Red', 'both'].map((text) => answerFromText(open(which), text))).toEqual([
    { type: 'option', option: 'blue' },
    { type: 'option', option: 'red' },
    { type: 'text', text: 'both' },
  ]);
  expect(['2', 'Plan B', 'yes'].map((text) => answerFromText(open(equals), text))).toEqual([
    { type: 'option', option: 'b' },
    { type: 'reject', reason: 'Plan B' },
    { type: 'reject', reason: 'yes' },
  ]);
  expect(answerFromText(open(form), ' Ada ')).toEqual({ type: 'form', form: { name: 'Ada' } });
  expect(answerFromText(open({ ...form, schema: {} }), 'not json')).toBeUndefined();
});

test('an edit is shown as the file before and after, or as what it replaces', async () => {
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
  const shown = (before: string | undefined) =>
    toolCallOf(item, { cwd: '/w', read: async (body) => previewOf(body), before: async () => before });
  const [whole] = (await shown('a\n')).content ?? [];
  expect(whole).toEqual({ type: 'diff', path: '/w/src/x.ts', oldText: 'a\n', newText: 'b\n' });
  // A file that can't be read, and one that the edit doesn't fit: what the edit says.
  expect((await shown('no fit')).content).toEqual((await shown(undefined)).content);
  expect(await shown(undefined)).toEqual({
    toolCallId: 'call-7.1',
    title: 'edit src/x.ts',
    name: 'edit',
    kind: 'edit',
    status: 'failed',
    rawInput: { path: 'src/x.ts', edits },
    locations: [{ path: '/w/src/x.ts' }],
    content: [
      { type: 'diff', path: '/w/src/x.ts', oldText: 'a', newText: 'b', _meta: { 'rondo.part': true } },
      { type: 'content', content: { type: 'text', text: 'no such text' } },
    ],
  });
});

test("reports the newest part of a call's output, not every piece", async () => {
  const { createRunningOutput } = await import('./running-output.ts');
  const { newTranscript } = await import('../../views/transcript.ts');
  const { withItem } = await import('../../views/transcript-view.ts');
  let time = 0;
  const messages: unknown[] = [];
  const output = createRunningOutput(
    async (update) => void messages.push(update),
    { output: () => undefined },
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
  expect(messages).toEqual([update('a'), update('abcd')]);
});
