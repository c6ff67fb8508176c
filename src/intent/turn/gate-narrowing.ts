/**
 * Turns a routed intent into rules for the gate, for this turn only.
 *
 * 1. Nothing here allows anything: every rule is `ask` or `deny`, so the standing rules are only narrowed.
 * 2. Read-only denies every tool that may change something, including a server's unknown ones. Dream denies all. A
 *    rule derived from the user's words carries them, and yields to what a rule or a grant allows.
 * 3. A question turns allow into ask for writes. A revert or a mass change needs approval first. So does a tool
 *    that this kind of turn doesn't use.
 * 4. Tools that change files are denied a path that must stay unchanged.
 */
import { parseRule, type Rule } from '../../kernel/rule.ts';
import type { ConfigPolicy } from '../words/config-atom.ts';
import { isFile } from '../meaning/paths.ts';
import type { OperationalMode, Routing } from '../routing/route.ts';

interface Narrowing {
  readonly route: Pick<Routing, 'deny' | 'ask'>;
  /** Tools that are denied regardless of the user's words. */
  readonly firm?: readonly string[];
  readonly policies: readonly ConfigPolicy[];
  readonly mode: OperationalMode;
  /** Every tool that the session offers. */
  readonly tools: readonly string[];
  /** Paths that must stay unchanged, as the user wrote them. */
  readonly spared?: readonly string[];
  /** The user's words that made the turn read-only or protected paths. */
  readonly because?: { readonly readOnly?: string | undefined; readonly spared?: string | undefined };
}

export function narrowGate({
  route,
  firm = [],
  policies,
  mode,
  tools,
  spared = [],
  because,
}: Narrowing): readonly Rule[] {
  if (mode === 'dream') return [{ verdict: 'deny', tool: '*', origin: 'agent' }];
  const offered = new Set(tools);
  const only = (names: readonly string[]): readonly string[] =>
    names.filter((name) => offered.has(name)).toSorted();
  return [
    ...only(route.deny).map((tool): Rule => ({
      verdict: 'deny',
      tool,
      ...saidIn(firm.includes(tool) ? undefined : because?.readOnly),
    })),
    ...only(['write', 'edit', 'delete']).flatMap((tool) =>
      spared
        .flatMap(patternsOf)
        .map((pattern): Rule => ({ verdict: 'deny', tool, pattern, ...saidIn(because?.spared) })),
    ),
    ...only(route.ask).map((tool): Rule => ({ verdict: 'ask', tool, origin: 'agent' })),
    ...policies.flatMap(({ verdict, rule, unless }): readonly Rule[] => {
      const parsed = parseRule(rule, verdict, 'agent');
      return parsed === undefined ? [] : [unless === undefined ? parsed : { ...parsed, unless }];
    }),
  ];
}

function saidIn(words: string | undefined): Pick<Rule, 'origin' | 'because'> {
  return words === undefined ? { origin: 'agent' } : { origin: 'prompt', because: words };
}

/** Matches the path in any folder. A folder includes its content. */
function patternsOf(path: string): readonly string[] {
  if (path.includes('*')) return [path];
  const plain = path.replace(/^\.\//, '').replace(/\/+$/, '');
  const anywhere = plain.startsWith('/') ? plain : `**/${plain}`;
  return isFile(path) ? [anywhere] : [anywhere, `${anywhere}/**`];
}
