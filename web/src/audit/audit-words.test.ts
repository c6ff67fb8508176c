import { describe, expect, test } from 'vitest';

import type { CallId, QuestionId } from '../../../src/kernel/ids.ts';
import type { QuestionSubject } from '../../../src/kernel/question.ts';
import { auditLine, withoutRepeats } from './audit-words.ts';

const call = 'call_1' as CallId;
const about: QuestionSubject = {
  type: 'approval',
  call,
  tool: 'write',
  unit: 'docs/cart.md',
  rule: 'default',
  reason: 'No rule covers it',
  grants: [],
};
const session = 'ses_1';

describe('the audit log', () => {
  test('[C95] an answer is the effect in words, and its verdict is not listed a second time', () => {
    const answered = {
      session,
      seq: 4,
      decided: { type: 'question-answered', question: 'q_1' as QuestionId, about, answer: { type: 'allow-once' } },
    } as const;
    const verdict = {
      session,
      seq: 5,
      decided: { type: 'call-allowed', call, tool: 'write', rule: 'default' },
    } as const;
    const other = {
      session,
      seq: 2,
      decided: { type: 'call-allowed', call: 'call_0' as CallId, tool: 'read', part: 'src/a.ts', rule: 'reads' },
    } as const;
    expect(withoutRepeats([verdict, answered, other])).toEqual([answered, other]);
    expect(auditLine(answered)).toEqual({ words: 'allowed once', detail: 'Writes docs/cart.md', tone: 'good' });
    expect(auditLine(other)).toEqual({ words: 'allowed read', detail: 'src/a.ts', rule: 'reads', tone: 'plain' });
  });

  test('changed limits are words, never JSON', () => {
    expect(auditLine({ decided: { type: 'limits-changed', limits: { cost: 5, toolCalls: 20 } } })).toEqual({
      words: 'changed the limits',
      detail: 'cost 5, tool calls 20',
      tone: 'warn',
    });
  });
});
