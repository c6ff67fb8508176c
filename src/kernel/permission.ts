/**
 * The gate: may this call run? Decided from facts alone.
 *
 * 1. Per unit (a command segment, a path, an address, or the call as a whole): deny > ask > allow > default.
 * 2. Across units the most severe verdict wins.
 * 3. The default is ask where somebody can be asked, else deny; reading inside the roots and talking
 *    to the user are allowed by built-in rule.
 * 4. A session's grant answers an ask and never lifts a deny.
 * 5. Facts that could not be worked out, or an error while judging, are a denial.
 */
import type { Call, CallFacts } from './call.ts';
import type { Mode } from './mode.ts';
import { matchesPattern, matchesTool, ruleToText, type Rule, type Verdict } from './rule.ts';

export interface Judgement {
  readonly verdict: Verdict;
  /** The rule that decided, as text, or the built-in rule's name. */
  readonly rule: string;
  readonly origin: Rule['origin'];
  readonly reason: string;
  /** The segment, path or address that decided, where it was one of several. */
  readonly unit?: string;
}

export interface Policy {
  /** Standing rules: user, project, agent, flags. */
  readonly rules: readonly Rule[];
  /** What "allow for this session" has granted so far. */
  readonly grants: readonly Rule[];
  /** Tools the agent may use at all; enforced here, not only shown to the model. */
  readonly tools: ToolAccess;
}

export type ToolAccess = 'none' | 'all' | { readonly only: readonly string[] };

export function judge(call: Call, policy: Policy, mode: Mode): Judgement {
  const { facts } = call;
  if (facts.problem !== undefined) {
    return builtIn('deny', 'facts', facts.problem.message);
  }
  if (!isToolOffered(policy.tools, call.tool)) {
    return {
      verdict: 'deny',
      rule: 'tools',
      origin: 'agent',
      reason: `This agent may not use the tool ${call.tool}.`,
    };
  }
  const judged = unitsOf(facts).map((unit) => judgeUnit(call, unit, policy, mode));
  const dangers = facts.dangers?.map((danger) => builtIn(danger.severity, danger.rule, danger.reason));
  const all = dangers === undefined ? judged : [...dangers, ...judged];
  const worst = all.reduce((a, b) => (severity[b.verdict] > severity[a.verdict] ? b : a));
  if (worst.verdict === 'allow' && mode.calls === 'every') {
    return builtIn('ask', 'supervised', 'In this mode every tool call needs approval.');
  }
  return worst;
}

/**
 * Rules of the managed policy as dangers of the call. They are part of its facts and not of the session's rules, so
 * that no grant, mode, change of policy or older journal lifts them.
 */
export function withManaged(tool: string, facts: CallFacts, rules: readonly Rule[]): CallFacts {
  const units = unitsOf(facts);
  const dangers = rules.flatMap((rule) => {
    const { verdict } = rule;
    if (verdict === 'allow' || !matchesTool(rule, tool) || !units.some((unit) => coversUnit(rule, unit)))
      return [];
    const text = ruleToText(rule);
    if (facts.dangers?.some((danger) => danger.rule === `${managedPrefix}${text}`) === true) return [];
    const does = verdict === 'deny' ? 'denies' : 'asks about';
    const reason = `The managed rule ${text} ${does} this. Only an administrator can change it.`;
    return [{ rule: `${managedPrefix}${text}`, severity: verdict, reason }];
  });
  return dangers.length === 0 ? facts : { ...facts, dangers: [...(facts.dangers ?? []), ...dangers] };
}

/** How a judgement names a managed rule. */
export const managedPrefix = 'managed: ';

/** Rules that "allow for this session" adds for a call: what its facts propose, else the tool. */
export function grantsFor(call: Call): readonly string[] {
  return call.facts.grants ?? [call.tool];
}

const severity: Record<Verdict, number> = { allow: 0, ask: 1, deny: 2 };

interface Unit {
  readonly text?: string;
  readonly kind: 'text' | 'parts';
  readonly standing: 'free' | 'guarded' | 'forbidden';
  readonly why?: string;
}

function unitsOf(facts: CallFacts): readonly Unit[] {
  const units: Unit[] = [];
  for (const segment of facts.segments ?? []) {
    units.push({
      text: segment.text,
      kind: 'text',
      standing: 'guarded',
      ...(segment.opaque === true && { why: 'What this would run cannot be told beforehand.' }),
    });
  }
  for (const path of facts.paths ?? []) {
    if (!path.inside) {
      units.push({
        text: path.path,
        kind: 'parts',
        standing: 'forbidden',
        why: `${path.path} is outside the session's folders.`,
      });
    } else {
      const free = path.access === 'read' && path.sensitive !== true;
      units.push({ text: path.path, kind: 'parts', standing: free ? 'free' : 'guarded' });
    }
  }
  for (const url of facts.urls ?? []) units.push({ text: url, kind: 'text', standing: 'guarded' });
  if (units.length === 0) {
    units.push({
      kind: 'text',
      standing: facts.access === 'read' || facts.access === 'talk' ? 'free' : 'guarded',
    });
  }
  return units;
}

function judgeUnit(call: Call, unit: Unit, policy: Policy, mode: Mode): Judgement {
  if (unit.standing === 'forbidden')
    return builtIn('deny', 'roots', unit.why ?? 'Outside the session.', unit.text);
  let asked: Rule | undefined;
  let allowed: Rule | undefined;
  for (const rule of policy.rules) {
    if (!matchesTool(rule, call.tool) || !coversUnit(rule, unit)) continue;
    if (rule.verdict === 'deny') return byRule(rule, unit);
    if (rule.verdict === 'ask') asked ??= rule;
    else if (mayLift(rule, unit)) allowed ??= rule;
  }
  const granted = policy.grants.find((grant) => matchesTool(grant, call.tool) && mayLift(grant, unit));
  if (granted !== undefined) return byRule(granted, unit);
  if (asked !== undefined) return byRule(asked, unit);
  if (allowed !== undefined) return byRule(allowed, unit);
  if (unit.standing === 'free')
    return builtIn('allow', 'reads', 'Reading inside the session is allowed.', unit.text);
  if (mode.asks === 'nobody') {
    return builtIn('deny', 'default', 'No rule allows this and nobody can be asked in this mode.', unit.text);
  }
  return builtIn('ask', 'default', unit.why ?? 'No rule allows this, so a person decides.', unit.text);
}

function coversUnit(rule: Rule, unit: Unit): boolean {
  const { text, kind } = unit;
  const isExcepted = text !== undefined && rule.unless?.some((pattern) => matchesPattern(pattern, text, kind));
  if (isExcepted === true) return false;
  if (rule.pattern === undefined) return true;
  return text !== undefined && matchesPattern(rule.pattern, text, kind);
}

/** A pattern says nothing about a part that cannot be told beforehand; only a rule for the whole tool does. */
function mayLift(rule: Rule, unit: Unit): boolean {
  return coversUnit(rule, unit) && (unit.why === undefined || rule.pattern === undefined);
}

function isToolOffered(access: ToolAccess, tool: string): boolean {
  if (access === 'all') return true;
  return access !== 'none' && access.only.includes(tool);
}

function byRule(rule: Rule, unit: Unit): Judgement {
  const text = ruleToText(rule);
  const said = { allow: 'allows', ask: 'asks about', deny: 'denies' }[rule.verdict];
  return {
    verdict: rule.verdict,
    rule: text,
    origin: rule.origin,
    reason: `The ${rule.origin} rule ${text} ${said} this.`,
    ...(unit.text !== undefined && { unit: unit.text }),
  };
}

function builtIn(verdict: Verdict, rule: string, reason: string, unit?: string): Judgement {
  return { verdict, rule, origin: 'built-in', reason, ...(unit !== undefined && { unit }) };
}
