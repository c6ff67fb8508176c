/** Decisions counted by the rule that allowed, asked or denied. */
import type { AuditEntry } from '../../../src/views/audit.ts';

export interface RuleApprovals {
  readonly rule: string;
  readonly byRule: number;
  readonly byPerson: number;
  readonly denied: number;
}

export function approvalsByRule(entries: readonly Pick<AuditEntry, 'decided'>[]): readonly RuleApprovals[] {
  const counts = new Map<string, { byRule: number; byPerson: number; denied: number }>();
  const add = (rule: string, key: 'byRule' | 'byPerson' | 'denied') => {
    const count = counts.get(rule) ?? { byRule: 0, byPerson: 0, denied: 0 };
    count[key] += 1;
    counts.set(rule, count);
  };
  for (const { decided } of entries) {
    if (decided.type === 'call-allowed' && decided.rule !== undefined) add(decided.rule, 'byRule');
    else if (decided.type === 'call-refused' && decided.rule !== undefined) add(decided.rule, 'denied');
    else if (decided.type === 'question-answered' && decided.about?.type === 'approval')
      add(decided.about.rule, decided.answer.type === 'reject' ? 'denied' : 'byPerson');
  }
  const sum = ({ byRule, byPerson, denied }: RuleApprovals) => byRule + byPerson + denied;
  return [...counts].map(([rule, count]) => ({ rule, ...count })).toSorted((a, b) => sum(b) - sum(a));
}
