import type { CallId } from '../kernel/ids.ts';
import type { QuestionSubject } from '../kernel/question.ts';

/** A request to approve a shell command, to which a test adds what it is about. */
export const shellApproval: Extract<QuestionSubject, { type: 'approval' }> = {
  type: 'approval',
  call: 'c1' as CallId,
  tool: 'shell',
  rule: 'default',
  reason: '',
  grants: [],
};
