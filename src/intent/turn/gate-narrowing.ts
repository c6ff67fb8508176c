/**
 * From a routed intent to rules for the gate, for this turn only.
 *
 * 1. Nothing here allows anything: every rule is `ask` or `deny`, so the standing rules are only narrowed.
 * 2. Read-only denies every tool that may change something, a server's unknown ones included. Dream denies all.
 *    What follows from a person's words carries them, and gives way to what a rule or a grant allows.
 * 3. A question turns allow into ask for writes; a revert or a mass change is asked about first; a tool that this
 *    kind of turn does not use is asked about.
 * 4. A path that is to be left as it is is denied to the tools that change files.
 */
import { parseRule, type Rule } from '../../kernel/rule.ts';
import type { ConfigPolicy } from '../words/config-atom.ts';
import { isFile } from '../meaning/paths.ts';
import type { OperationalMode, Route } from '../routing/route.ts';

export interface Narrowing {
  readonly route: Pick<Route, 'deny' | 'ask'>;
  /** Tools that would be denied whatever the person said. */
  readonly firm?: readonly string[];
  readonly policies: readonly ConfigPolicy[];
  readonly mode: OperationalMode;
  /** Every tool the session offers. */
  readonly tools: readonly string[];
  /** Paths, as the person wrote them, that are to be left as they are. */
  readonly spared?: readonly string[];
  /** The words that what is read-only and what is spared follow from. */
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

/** The path wherever it lies; a folder with everything in it. */
function patternsOf(path: string): readonly string[] {
  if (path.includes('*')) return [path];
  const plain = path.replace(/^\.\//, '').replace(/\/+$/, '');
  const anywhere = plain.startsWith('/') ? plain : `**/${plain}`;
  return isFile(path) ? [anywhere] : [anywhere, `${anywhere}/**`];
}
