/**
 * The gate decides from facts alone whether a call may run.
 *
 * 1. Per unit (a command segment, a path, a URL, or the whole call): deny > ask > allow > default.
 * 2. Across units, the most severe verdict wins.
 * 3. The default is ask if a person can be asked, else deny. Built-in rules allow reading inside the roots and
 *    talking to the user.
 * 4. A session's grant answers an ask and never overrides a deny. A deny derived from words of the prompt is the
 *    weakest: any allowing rule or grant overrides it.
 * 5. In a confined call, a part that no rule mentions is allowed unless it deletes or sends. Denies, asks and
 *    dangers still apply.
 * 6. Missing facts, or an error while judging, are a denial.
 * 7. A wildcard covers no word that makes a command do more and no change of a protected name: the rule must state
 *    it.
 * 8. A grant covers nothing that does more than the approved call, in another folder, or with another script.
 * 9. Among parts with the same verdict, the most dangerous one represents the call.
 * 10. A rule or grant for a set of calls (`edits`, `commits`, `checks`) covers the parts whose facts name that set.
 */
import type { ToolAccess } from '../agent.ts';
import type { Call, CallFacts } from '../call.ts';
import { exceeds, type Effect } from '../effect.ts';
import type { Mode } from '../mode.ts';
import { optional } from '../optional.ts';
import type { CoveredPart, QuestionSubject } from '../question.ts';
import { matchesTool, parseRule, ruleToText, type Rule, type Verdict } from '../rule.ts';
import { partsOfCall, unitsOf, type CallUnit } from './call-units.ts';
import { concerns, coversUnit, isGranted, mayLift, outweighs, touchesUnit } from './rule-coverage.ts';

export interface Judgement {
  readonly verdict: Verdict;
  /** The deciding rule's text, or the built-in rule's name. */
  readonly rule: string;
  readonly origin: Rule['origin'];
  readonly reason: string;
  /** The deciding segment, path or URL, if there are several. */
  readonly unit?: string;
  /** That part's effect, if known. */
  readonly effect?: Effect;
  /** The parts of an asked command that a rule allows. */
  readonly covered?: readonly CoveredPart[];
}

export interface Policy {
  /** Standing rules: user, project, agent, flags. */
  readonly rules: readonly Rule[];
  /** Grants from "allow for this session". */
  readonly grants: readonly Rule[];
  /** Tools that the agent may use. Enforced here, not only hidden from the model. */
  readonly tools: ToolAccess;
}

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
  const dangers = (facts.dangers ?? []).map((danger) => judgeDanger(danger, facts));
  const judged = judgeUnits(call, policy, mode, dangers.length > 0);
  const unit = judged.reduce(worse);
  const [danger] = dangers.length === 0 ? [] : [dangers.reduce(worse)];
  const isDanger = danger !== undefined && severity[danger.verdict] >= severity[unit.verdict];
  return inMode(withCovered(isDanger ? danger : unit, judged, facts), mode);
}

/** The verdict on each part as it counts within the call: commands, then paths, then addresses. */
export function judgeEach(call: Call, policy: Policy, mode: Mode): readonly Judgement[] {
  const whole = judge(call, policy, mode);
  if (whole.rule === 'tools' || whole.rule === 'facts') return unitsOf(call.facts).map(() => whole);
  const isDangerous = (call.facts.dangers ?? []).length > 0;
  return judgeUnits(call, policy, mode, isDangerous).map((judgement) => inMode(judgement, mode));
}

function inMode(judgement: Judgement, { calls }: Mode): Judgement {
  const { verdict, unit, effect } = judgement;
  if (verdict !== 'allow' || calls !== 'every') return judgement;
  return {
    ...builtIn('ask', 'supervised', 'In this mode every tool call needs approval.', unit),
    ...optional({ effect }),
  };
}

/** What a danger names asks, whatever its rule says. */
function withCovered(worst: Judgement, judged: readonly Judgement[], facts: CallFacts): Judgement {
  if (worst.verdict !== 'ask' || partsOfCall(facts).length < 2) return worst;
  const dangerous = new Set(facts.dangers?.map(({ unit }) => unit));
  const covered = judged.flatMap(({ verdict, rule, unit }) =>
    verdict === 'allow' && unit !== undefined && !dangerous.has(unit) ? [{ part: unit, rule }] : [],
  );
  return covered.length === 0 ? worst : { ...worst, covered };
}

/**
 * Turns managed rules into dangers of the call. They are facts, not session rules, so no grant, mode, policy change
 * or older journal overrides them.
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

/** Prefix of managed rules in judgements. */
export const managedPrefix = 'managed: ';

/** The rules that "allow for this session" adds for a call: proposed by its facts, or the tool. */
export function grantsFor(call: Call): readonly string[] {
  return call.facts.grants ?? [call.tool];
}

/** Without those for parts that a rule allows already: each grant covers a part that asks. */
function grantsAsked(call: Call, covered: readonly CoveredPart[]): readonly string[] {
  const allowed = new Set(covered.map(({ part }) => part));
  const asking = unitsOf(call.facts).filter(({ text = '', name = text }) => !allowed.has(name));
  return grantsFor(call).filter((text) => {
    const grant = parseRule(text, 'allow', 'session');
    return grant !== undefined && asking.some((unit) => concerns(grant, call, unit) && isGranted(grant, unit));
  });
}

/** What a question shows about the call. */
export function approvalFacts(call: Call, judged: Judgement | undefined): Asked {
  const parts = partsOfCall(call.facts).length;
  return {
    tool: call.tool,
    rule: judged?.rule ?? 'default',
    reason: judged?.reason ?? '',
    ...optional({ unit: judged?.unit, effect: judged?.effect }),
    ...(parts > 1 && { parts }),
    ...optional({ covered: judged?.covered }),
    grants: judged?.covered === undefined ? grantsFor(call) : grantsAsked(call, judged.covered),
  };
}

type Asked = Pick<
  Extract<QuestionSubject, { type: 'approval' }>,
  'tool' | 'rule' | 'reason' | 'unit' | 'effect' | 'parts' | 'covered' | 'grants'
>;

const severity: Record<Verdict, number> = { allow: 0, ask: 1, deny: 2 };

function worse(one: Judgement, other: Judgement): Judgement {
  const difference = severity[other.verdict] - severity[one.verdict];
  const isWorse = difference === 0 ? exceeds(other.effect ?? 'look', one.effect ?? 'look') : difference > 0;
  return isWorse ? other : one;
}

function judgeDanger({ severity: verdict, rule, reason, unit }: Danger, { segments = [] }: CallFacts): Judgement {
  const effect = segments.find(({ text }) => text === unit)?.effect;
  return { ...builtIn(verdict, rule, reason, unit), effect: effect ?? 'unknown' };
}

type Danger = NonNullable<CallFacts['dangers']>[number];

/**
 * `npm test | tail -20` asks about the tests; the reading part comes along with a part that a rule allows, or with one
 * that asks.
 */
function judgeUnits(call: Call, policy: Policy, mode: Mode, isDangerous: boolean): readonly Judgement[] {
  const units = unitsOf(call.facts);
  const judged = units.map((unit) => ({ unit, judgement: judgeUnit(call, unit, policy, mode) }));
  const isOpen = ({ unit, judgement: { rule, origin } }: (typeof judged)[number]) =>
    rule === 'default' && origin === 'built-in' && unit.mild === true;
  const isCarried = judged.some(
    ({ judgement: { verdict, origin } }) => verdict === 'allow' && origin !== 'built-in',
  );
  const isAsked = isDangerous || judged.some((one) => one.judgement.verdict === 'ask' && !isOpen(one));
  return judged.map((one) => {
    const { unit, judgement } = one;
    return isOpen(one) && (isCarried || (isAsked && judgement.verdict === 'ask'))
      ? { ...builtIn('allow', 'reads', 'Reading inside the session is allowed.', unit.text), effect: 'look' }
      : judgement;
  });
}

function judgeUnit(call: Call, unit: CallUnit, policy: Policy, mode: Mode): Judgement {
  return {
    ...judgedUnit(call, unit, policy, mode),
    ...optional({ effect: unit.effect }),
    ...(unit.name !== undefined && { unit: unit.name }),
  };
}

function judgedUnit(call: Call, unit: CallUnit, policy: Policy, mode: Mode): Judgement {
  if (unit.standing === 'forbidden')
    return builtIn('deny', 'roots', unit.why ?? 'Outside the session.', unit.text);
  let matched: Rule | undefined;
  let asked: Rule | undefined;
  const allowing: Rule[] = [];
  for (const rule of policy.rules) {
    if (!concerns(rule, call, unit) || !touchesUnit(rule, unit)) continue;
    if (rule.verdict === 'deny' && rule.origin === 'prompt') matched ??= rule;
    else if (rule.verdict === 'deny') return byRule(rule, unit);
    else if (rule.verdict === 'ask') asked ??= rule;
    else if (mayLift(rule, unit)) allowing.push(rule);
  }
  const granting = policy.grants.filter((grant) => concerns(grant, call, unit) && isGranted(grant, unit));
  if (matched !== undefined && ![...allowing, ...granting].some((rule) => outweighs(rule, matched)))
    return byWords(matched, call, unit);
  const [granted] = granting;
  const [allowed] = allowing;
  if (granted !== undefined) return byRule(granted, unit);
  if (asked !== undefined) return byRule(asked, unit);
  if (allowed !== undefined) return byRule(allowed, unit);
  if (unit.standing === 'free')
    return builtIn('allow', 'reads', 'Reading inside the session is allowed.', unit.text);
  if (unit.standing === 'contained')
    return builtIn('allow', 'sandbox', call.facts.access === 'write' ? SAME_CHANGE : CONTAINED, unit.text);
  if (mode.asks === 'nobody') {
    return builtIn('deny', 'default', 'No rule allows this and nobody can be asked in this mode.', unit.text);
  }
  return builtIn('ask', 'default', unit.why ?? whyAsked(unit), unit.text);
}

const CONTAINED = "It runs in the sandbox and can't reach beyond it.";
const SAME_CHANGE = 'A command in the sandbox may make the same change.';

function whyAsked({ protects, raisedBy }: CallUnit): string {
  if (protects !== undefined)
    return `${protects} decides what programs or agents do here, so only a rule that names it covers a change.`;
  if (raisedBy !== undefined)
    return `${raisedBy} makes the command do more, so only a rule that names it covers it.`;
  return 'No rule allows this, so a person decides.';
}

function isToolOffered(access: ToolAccess, tool: string): boolean {
  if (access === 'all') return true;
  return access !== 'none' && access.only.includes(tool);
}

function byRule(rule: Rule, unit: CallUnit): Judgement {
  const text = ruleToText(rule);
  const verb = { allow: 'allows', ask: 'asks about', deny: 'denies' }[rule.verdict];
  return {
    verdict: rule.verdict,
    rule: text,
    origin: rule.origin,
    reason: `The ${rule.origin} rule ${text} ${verb} this.`,
    ...optional({ unit: unit.text }),
  };
}

/** The person's words and how to lift the limit, short enough for one line. */
function byWords(rule: Rule, { tool }: Call, unit: CallUnit): Judgement {
  const allow = rule.pattern === undefined ? tool : `${tool}(${unit.text ?? ''})`;
  return {
    verdict: 'deny',
    rule: ruleToText(rule),
    origin: rule.origin,
    reason: `The prompt says "${rule.because ?? ''}". To lift it, rephrase, or use --allow '${allow}'.`,
    ...optional({ unit: unit.text }),
  };
}

function builtIn(verdict: Verdict, rule: string, reason: string, unit?: string): Judgement {
  return { verdict, rule, origin: 'built-in', reason, ...optional({ unit }) };
}
