/**
 * From a routed intent to rules for the gate, for this turn only.
 *
 * 1. Nothing here allows anything: every rule is `ask` or `deny`, so the standing rules are only narrowed.
 * 2. Read-only denies every tool that may change something, a server's unknown ones included. Dream denies all.
 * 3. A question turns allow into ask for writes; a revert or a mass change is asked about first; a tool that this
 *    kind of turn does not use is asked about.
 */
import { parseRule, type Rule } from '../kernel/rule.ts';
import type { ConfigPolicy } from './config-atom.ts';
import type { OperationalMode, Route } from './route.ts';

export interface Narrowing {
  readonly route: Pick<Route, 'deny' | 'ask'>;
  readonly policies: readonly ConfigPolicy[];
  readonly mode: OperationalMode;
  /** Every tool the session offers. */
  readonly tools: readonly string[];
}

export function narrowGate({ route, policies, mode, tools }: Narrowing): readonly Rule[] {
  if (mode === 'dream') return [{ verdict: 'deny', tool: '*', origin: 'agent' }];
  const offered = new Set(tools);
  const only = (names: readonly string[]): readonly string[] =>
    names.filter((name) => offered.has(name)).toSorted();
  return [
    ...only(route.deny).map((tool): Rule => ({ verdict: 'deny', tool, origin: 'agent' })),
    ...only(route.ask).map((tool): Rule => ({ verdict: 'ask', tool, origin: 'agent' })),
    ...policies.flatMap(({ verdict, rule, unless }): readonly Rule[] => {
      const parsed = parseRule(rule, verdict, 'agent');
      return parsed === undefined ? [] : [unless === undefined ? parsed : { ...parsed, unless }];
    }),
  ];
}
