/** What a session may do without asking, folded from its events: its rules, and what people granted in it. */
import type { Recorded } from '../kernel/event.ts';
import { questionIdOf, type SessionId } from '../kernel/ids.ts';
import { parseRule, ruleToText, type Rule } from '../kernel/rule.ts';

export interface SessionPermissions {
  /** Undefined until an event with rules was seen. */
  readonly rules: readonly Rule[] | undefined;
  readonly grants: readonly SessionGrant[];
  /** What open questions would grant. */
  readonly offered: ReadonlyMap<string, readonly string[]>;
}

/** A rule that somebody allowed for the rest of the session. */
interface SessionGrant {
  readonly rule: string;
  readonly by: string;
  readonly at: number;
}

export const noPermissions: SessionPermissions = { rules: undefined, grants: [], offered: new Map() };

/** The rules that an event sets. Undefined if it sets none. */
export function rulesIn({ event }: Recorded): readonly Rule[] | undefined {
  switch (event.type) {
    case 'session-created':
    case 'session-forked':
    case 'session-continued':
      return event.rules ?? [];
    case 'policy-changed':
      return event.rules;
    default:
      return undefined;
  }
}

export function permissionsWith(
  before: SessionPermissions,
  session: SessionId,
  recorded: Recorded,
): SessionPermissions {
  const { event, seq, at, by } = recorded;
  const now = { ...before, rules: rulesIn(recorded) ?? before.rules };
  if (event.type === 'question-opened' && event.about.type === 'approval')
    return { ...now, offered: new Map(now.offered).set(questionIdOf(session, seq), event.about.grants) };
  if (event.type === 'policy-changed') {
    const { revoked = [] } = event;
    return { ...now, grants: now.grants.filter(({ rule }) => !revoked.includes(rule)) };
  }
  const isGrant =
    event.type === 'question-answered' &&
    (event.answer.type === 'allow-session' || event.answer.type === 'allow-always');
  if (!isGrant) return now;
  const rules = new Set(now.grants.map(({ rule }) => rule));
  const added = (now.offered.get(event.question) ?? []).map(asStored).filter((rule) => !rules.has(rule));
  return { ...now, grants: [...now.grants, ...added.map((rule) => ({ rule, by: by.name, at }))] };
}

/** Grants compare as the session stores them. */
function asStored(text: string): string {
  const rule = parseRule(text, 'allow', 'session');
  return rule === undefined ? text : ruleToText(rule);
}
