/**
 * A worker's permissions. A call is *allowed*, *forbidden*, or *restricted*; unlisted calls are restricted. A
 * restricted call asks a person, is blocked, or goes to the parent's agent first and to a person if the agent
 * doesn't decide in time.
 *
 * The lists become rules of the worker's session, next to those it inherits. Deny wins over ask, and ask over
 * allow, so a worker never gets more than its parent's rules permit.
 */
import { isModeName, modes, type Mode } from '../kernel/mode.ts';
import { optional } from '../kernel/optional.ts';
import { parseRule, type Rule } from '../kernel/rule.ts';

export interface WorkerPermissions {
  readonly allowed?: readonly string[];
  readonly restricted?: readonly string[];
  readonly forbidden?: readonly string[];
  /** Default: `ask`. */
  readonly whenRestricted?: WhenRestricted;
}

export type WhenRestricted = 'ask' | 'block' | 'escalate';

interface Setup {
  readonly mode?: string | Mode;
  readonly rules?: readonly Rule[];
}

/** A session's settings with these permissions applied, or what is wrong with them. */
export function setupWithin(permissions: WorkerPermissions, { mode, rules = [] }: Setup): Setup | string {
  const { allowed = [], restricted = [], forbidden = [], whenRestricted } = permissions;
  const listed: Rule[] = [];
  for (const [verdict, texts] of [
    ['deny', forbidden],
    ['ask', restricted],
    ['allow', allowed],
  ] as const) {
    for (const text of texts) {
      const rule = parseRule(text, verdict, 'session');
      if (rule === undefined) return `invalid rule "${text}"; write a tool, or a tool and a pattern: shell(git *)`;
      listed.push(rule);
    }
  }
  const all = [...rules, ...listed];
  // A worker that can't ask is denied, even if an inherited rule would ask.
  if (whenRestricted !== 'block') return { ...optional({ mode }), rules: all };
  if (typeof mode === 'string' && !isModeName(mode)) {
    return `unknown mode ${mode}; use one of ${Object.keys(modes).join(', ')}`;
  }
  const full: Mode = typeof mode === 'string' ? modes[mode] : (mode ?? modes.interactive);
  return { mode: { ...full, asks: 'nobody' }, rules: all.map(unasked) };
}

function unasked(rule: Rule): Rule {
  return rule.verdict === 'ask' ? { ...rule, verdict: 'deny' } : rule;
}
