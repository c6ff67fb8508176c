/**
 * What a kind of turn may use. One a verb or persona; those that apply are merged.
 *
 * 1. Merging is a union in order without duplicates and keeps the highest priority; for tools,
 *    policies and priority it is associative, and an atom merged with itself is itself.
 * 2. A policy only ever narrows: `ask` or `deny`, never `allow`.
 */
export interface ConfigAtom {
  /** The verb or persona it belongs to. */
  readonly for: string;
  readonly tools: readonly string[];
  readonly policies: readonly ConfigPolicy[];
  /** What kind of model serves it well; a hint, not a choice. */
  readonly model?: 'fast' | 'strong';
  readonly priority: number;
}

export interface ConfigPolicy {
  readonly verdict: 'ask' | 'deny';
  /** A rule's text, such as `shell(git push*)`. */
  readonly rule: string;
  /**
   * What it does not hold for, by patterns: `write` unless `test/**`. It falls away where another kind of turn that is
   * served at the same time has the tool without it.
   */
  readonly unless?: readonly string[];
}

export type ConfigBody = Omit<ConfigAtom, 'for'>;

/** The hint of the higher priority stands; of equals the first. */
export function mergeConfigs(first: ConfigBody, second: ConfigBody): ConfigBody {
  const [high, low] = second.priority > first.priority ? [second, first] : [first, second];
  const model = high.model ?? low.model;
  const seen = new Set(first.policies.map(policyKey));
  return {
    tools: [...new Set([...first.tools, ...second.tools])],
    policies: [...first.policies, ...second.policies.filter((policy) => !seen.has(policyKey(policy)))],
    ...(model !== undefined && { model }),
    priority: high.priority,
  };
}

function policyKey({ verdict, rule, unless = [] }: ConfigPolicy): string {
  return [verdict, rule, ...unless].join(' ');
}
