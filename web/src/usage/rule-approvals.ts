/** Decisions counted by the rule that allowed, asked or denied. What a person answered counts as the person's. */
import type { PermissionOption } from '../../../src/kernel/agent-request.ts';
import type { CallId } from '../../../src/kernel/ids.ts';
import type { Answer } from '../../../src/kernel/question.ts';
import type { AuditEntry } from '../../../src/views/audit.ts';

export type AuditedDecision = Pick<AuditEntry, 'decided' | 'seq'> & { readonly session: string };

interface RuleApprovals {
  readonly rule: string;
  readonly byRule: number;
  readonly byPerson: number;
  readonly denied: number;
}

export function approvalsByRule(entries: readonly AuditedDecision[]): readonly RuleApprovals[] {
  const counts = new Map<string, { byRule: number; byPerson: number; denied: number }>();
  const add = (rule: string, key: 'byRule' | 'byPerson' | 'denied') => {
    const count = counts.get(rule) ?? { byRule: 0, byPerson: 0, denied: 0 };
    count[key] += 1;
    counts.set(rule, count);
  };
  /** Calls that a person decided. Their next verdict only repeats the answer. */
  const answered = new Set<string>();
  for (const { session, decided } of entries.toSorted((a, b) => a.seq - b.seq)) {
    const key = (call: CallId) => `${session} ${call}`;
    if (decided.type === 'question-answered' && decided.about?.type === 'approval') {
      const { about, answer } = decided;
      answered.add(key(about.call));
      add(about.rule, isDenial(answer, about.options) ? 'denied' : 'byPerson');
    } else if (decided.type === 'call-allowed' || decided.type === 'call-refused') {
      if (answered.delete(key(decided.call)) || decided.rule === undefined) continue;
      add(decided.rule, decided.type === 'call-allowed' ? 'byRule' : 'denied');
    }
  }
  const sum = ({ byRule, byPerson, denied }: RuleApprovals) => byRule + byPerson + denied;
  return [...counts].map(([rule, count]) => ({ rule, ...count })).toSorted((a, b) => sum(b) - sum(a));
}

/** An external agent's own options include denials. */
function isDenial(answer: Answer, options: readonly PermissionOption[] = []): boolean {
  if (answer.type !== 'option') return answer.type === 'reject';
  return options.find(({ id }) => id === answer.option)?.kind.startsWith('reject') === true;
}
