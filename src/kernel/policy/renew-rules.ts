import { ruleToText, type Rule } from '../rule.ts';

/** Replaces the user's and project's rules with the current ones and keeps those of the agent and earlier flags. */
export function renewRules(
  before: readonly Rule[],
  standing: readonly Rule[],
  flags: readonly Rule[] = [],
): readonly Rule[] {
  const kept = before.filter(({ origin }) => origin === 'agent' || origin === 'session' || origin === 'flag');
  const all = [
    ...kept.filter(({ origin }) => origin === 'agent'),
    ...standing,
    ...kept.filter(({ origin }) => origin !== 'agent'),
  ];
  const existing = new Set(all.map(keyOf));
  return [...all, ...flags.filter((rule) => !existing.has(keyOf(rule)))];
}

export function isSameRules(a: readonly Rule[], b: readonly Rule[]): boolean {
  return a.length === b.length && a.every((rule, index) => keyOf(rule) === keyOf(b[index] ?? rule));
}

function keyOf(rule: Rule): string {
  return `${rule.origin} ${rule.verdict} ${ruleToText(rule)}`;
}
