import { optional } from '../../kernel/optional.ts';

/**
 * What a kind of turn may use. There is one per verb or persona. Those that apply are merged.
 *
 * 1. Merging is a union in order without duplicates and keeps the highest priority. For tools, policies and
 *    priority it is associative, and an atom merged with itself is unchanged.
 * 2. A policy only narrows: `ask` or `deny`, never `allow`.
 */
export interface ConfigAtom {
  /** The verb or persona it belongs to. */
  readonly for: string;
  readonly tools: readonly string[];
  readonly policies: readonly ConfigPolicy[];
  /** The kind of model that suits it. A hint, not a choice. */
  readonly model?: 'fast' | 'strong';
  readonly priority: number;
}

export interface ConfigPolicy {
  readonly verdict: 'ask' | 'deny';
  /** A rule's text, such as `shell(git push*)`. */
  readonly rule: string;
  /**
   * Patterns that the policy exempts: `write` unless `test/**`. The policy is dropped if another kind of turn
   * served at the same time has the tool without it.
   */
  readonly unless?: readonly string[];
}

export type ConfigBody = Omit<ConfigAtom, 'for'>;

/** The hint with the higher priority wins. Ties go to the first. */
export function mergeConfigs(first: ConfigBody, second: ConfigBody): ConfigBody {
  const [high, low] = second.priority > first.priority ? [second, first] : [first, second];
  const model = high.model ?? low.model;
  const seen = new Set(first.policies.map(policyKey));
  return {
    tools: [...new Set([...first.tools, ...second.tools])],
    policies: [...first.policies, ...second.policies.filter((policy) => !seen.has(policyKey(policy)))],
    ...optional({ model }),
    priority: high.priority,
  };
}

function policyKey({ verdict, rule, unless = [] }: ConfigPolicy): string {
  return [verdict, rule, ...unless].join(' ');
}
