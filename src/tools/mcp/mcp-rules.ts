/**
 * Checks rules on the tools of an MCP server when it connects and its tools are known (S10). A deny or an ask that
 * can never match is an error, because someone relies on it: the server's tools stay unavailable until it is
 * corrected. An allow that can never match is harmless, so it is a warning.
 */
import { nearestName } from '../../kernel/nearest-name.ts';
import { matchesTool, type Rule } from '../../kernel/rule.ts';

interface CheckedRules {
  /** Whether the server's tools may be offered. */
  readonly type: 'good' | 'refused';
  readonly problems: readonly string[];
}

/** `tools` are the names used in rules, `mcp__<server>__<tool>`. */
export function checkMcpRules(server: string, tools: readonly string[], rules: readonly Rule[]): CheckedRules {
  const wrong = rules
    .filter(({ tool }) => tool.startsWith(`mcp__${server}__`))
    .flatMap((rule) => {
      const why = problemWith(rule, tools);
      return why === undefined ? [] : [{ rule, why }];
    });
  const isRefused = wrong.some(({ rule }) => rule.verdict !== 'allow');
  return {
    type: isRefused ? 'refused' : 'good',
    problems: wrong.map(({ rule: { verdict, tool, pattern }, why }) => {
      const text = pattern === undefined ? tool : `${tool}(${pattern})`;
      const effect =
        verdict === 'allow'
          ? 'The rule is ignored.'
          : `Tools of ${server} stay unavailable until you correct the rule.`;
      return `Invalid rule "${verdict} ${text}": ${why} ${effect}`;
    }),
  };
}

function problemWith(rule: Rule, tools: readonly string[]): string | undefined {
  if (!tools.some((tool) => matchesTool(rule, tool))) {
    const nearest = nearestName(rule.tool, tools);
    const hint = nearest === undefined ? `the tools are ${tools.join(', ')}.` : `did you mean "${nearest}"?`;
    return `unknown tool "${rule.tool}"; ${hint}`;
  }
  return rule.pattern === undefined ? undefined : 'rules on MCP tools take no pattern.';
}
