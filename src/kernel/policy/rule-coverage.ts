/** Whether a rule or grant covers a part of a call, and overrides a limit from the prompt. */
import type { Call } from '../call.ts';
import { isCallSet } from '../call-set.ts';
import { exceeds } from '../effect.ts';
import { boundedGrant, hasWildcard, matchesPattern, matchesTool, type Rule } from '../rule.ts';
import type { CallUnit } from './call-units.ts';

/** Only a rule that names the path overrides a path protected by the prompt. A set of calls overrides no words. */
export function outweighs({ tool, pattern }: Rule, matched: Rule): boolean {
  if (isCallSet(tool)) return false;
  return matched.pattern === undefined || (pattern !== undefined && !/[*?]/.test(pattern));
}

/**
 * A rule on a command covers every tool that runs this command. A rule on the whole shell doesn't restrict tools
 * that run their own command, but if it allows any command, it allows theirs.
 */
export function concerns(rule: Rule, call: Call, unit: CallUnit): boolean {
  if (matchesTool(rule, call.tool)) return true;
  if (rule.tool === unit.set?.name) return rule.pattern === undefined;
  const isOnCommand = rule.tool === 'shell' && (rule.pattern !== undefined || rule.verdict === 'allow');
  return isOnCommand && call.facts.segments?.some(({ text }) => text === unit.text) === true;
}

/** A deny or ask applies to every spelling of a part, an allow only to its canonical form. */
export function touchesUnit(rule: Rule, unit: CallUnit): boolean {
  if (coversUnit(rule, unit)) return true;
  return rule.verdict !== 'allow' && (unit.also ?? []).some((text) => coversUnit(rule, { ...unit, text }));
}

export function coversUnit(rule: Rule, unit: Pick<CallUnit, 'text' | 'kind'>): boolean {
  const { text, kind } = unit;
  const isExcepted = text !== undefined && rule.unless?.some((pattern) => matchesPattern(pattern, text, kind));
  if (isExcepted === true) return false;
  if (rule.pattern === undefined) return true;
  return text !== undefined && matchesPattern(rule.pattern, text, kind);
}

/** A pattern can't cover a part that is known only at run time; a rule for the whole tool can. */
export function mayLift(rule: Rule, unit: CallUnit): boolean {
  if (!coversUnit(rule, unit) || (unit.why !== undefined && rule.pattern !== undefined)) return false;
  return states(rule, unit) && staysWithin(rule, unit);
}

/** Whether the rule states the protected name or the word that makes the command do more. No wildcard does. */
function states({ pattern }: Rule, { protects, raisedBy }: CallUnit): boolean {
  if (protects !== undefined) {
    return pattern?.split('/').some((part) => part.toLowerCase() === protects.toLowerCase()) === true;
  }
  return raisedBy === undefined || pattern === undefined || !hasWildcard(pattern) || pattern.includes(raisedBy);
}

/** Whether the part stays within a grant. A person's own rule has no such limits and applies in every folder. */
function staysWithin({ tool, effect, pin, folder }: Rule, unit: CallUnit): boolean {
  if (effect === undefined) return true;
  if (tool === unit.set?.name)
    return unit.once !== true && pin === unit.set.pin && !exceeds(unit.effect ?? 'unknown', effect);
  return (
    unit.once !== true &&
    !exceeds(unit.effect ?? 'unknown', effect) &&
    (pin === undefined || pin === unit.pin) &&
    folder === unit.folder
  );
}

export function isGranted(grant: Rule, unit: CallUnit): boolean {
  return unit.once !== true && isOfKind(grant, unit) && mayLift(boundedGrant(grant), unit);
}

/** A grant for the command `make` doesn't cover a file of that name: grants for files are grants to edit. */
function isOfKind({ tool, pattern, effect }: Rule, { kind }: CallUnit): boolean {
  return tool !== 'shell' || pattern === undefined || kind === 'text' || effect === 'edit';
}
