import { expect, test } from 'vitest';

import type { QuestionSubject } from '../../kernel/question.ts';
import { proposalOf } from './edit-proposal.ts';

type Approval = Extract<QuestionSubject, { type: 'approval' }>;

const request = (tool: string, given: Partial<Approval> = {}) => ({
  about: { type: 'approval', tool, rule: 'default', reason: '', grants: [], ...given } as unknown as Approval,
});

test('[C128] a command is edited as it is written', () => {
  const found = proposalOf(request('shell'), '{"command":"npm view x","timeout_ms":5}', undefined);
  expect(found?.text).toBe('npm view x');
  expect(found?.apply('npm view y\n')).toBe('{"command":"npm view y","timeout_ms":5}');
  expect(found?.apply('npm view x\n')).toBeUndefined();
});

test('[C128] an edit is edited as the whole file, and becomes the lines that differ from what is there', () => {
  const args = '{"path":"src/a.ts","edits":[{"old_text":"two","new_text":"2"}]}';
  const found = proposalOf(request('edit'), args, 'one\ntwo\nthree\n');
  expect([found?.name, found?.text]).toEqual(['a.ts', 'one\n2\nthree\n']);
  expect(found?.apply('one\ntwo!\nthree\n')).toBe(
    '{"path":"src/a.ts","edits":[{"old_text":"two\\n","new_text":"two!\\n"}]}',
  );
  // Back to what the file holds now: nothing would change.
  expect(found?.apply('one\ntwo\nthree\n')).toBeUndefined();
});

test('[C128] a new file is edited as its content, everything else as JSON', () => {
  expect(proposalOf(request('write'), '{"path":"a","content":"x"}', '')?.apply('y')).toBe(
    '{"path":"a","content":"y"}',
  );
  const found = proposalOf(request('deploy'), '{"to":"a"}', undefined);
  expect(found?.text).toBe('{\n  "to": "a"\n}\n');
  expect(found?.apply('{"to":"b"}')).toBe('{"to":"b"}');
  expect(found?.apply('not JSON')).toBeUndefined();
});

test('[C128] what an external agent runs itself can’t be edited', () => {
  expect(proposalOf(request('shell', { request: 'r1' }), '{"command":"ls"}', undefined)).toBeUndefined();
  expect(proposalOf({ about: { type: 'reply-review', reply: 1 } }, '{}', undefined)).toBeUndefined();
});
