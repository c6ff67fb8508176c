import { expect, test } from 'vitest';

import type { BlobHash, CallId, QuestionId } from '../kernel/ids.ts';
import type { OpenQuestion } from './open-question.ts';
import { questionText } from './question-text.ts';

const question: OpenQuestion = {
  id: 'q_1' as QuestionId,
  openedAt: 0,
  about: {
    type: 'approval',
    call: 'c1' as CallId,
    tool: 'shell',
    rule: 'default',
    reason: 'Nobody said.',
    unit: 'ls',
    grants: [],
  },
};

test('[P8] who approves a part is shown the whole command, on all its lines', () => {
  expect(questionText({ ...question, args: '{"command":"ls; rm -r src\\nls"}' })).toBe(
    'q_1: may shell run (ls)? Nobody said.\n  The whole call: ls; rm -r src\n    ls',
  );
});

test('a part that is the whole is said once', () => {
  expect(questionText({ ...question, args: '{"command":"ls"}' })).toBe('q_1: may shell run (ls)? Nobody said.');
});

test('a call too long to show says so', () => {
  const args = { blob: 'b' as BlobHash, length: 9000, preview: '{"command":"ls; ec' };
  expect(questionText({ ...question, args })).toContain('{"command":"ls; ec… (9000 characters in all)');
});
