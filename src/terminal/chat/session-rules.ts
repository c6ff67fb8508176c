/** The rules of a session, from its events: those it was created with, or those of the last change. */
import type { Recorded } from '../../kernel/event.ts';
import type { Rule } from '../../kernel/rule.ts';
import type { SessionClient } from '../../ports/session-client.ts';

/** Undefined if the event changes no rules. */
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

/** Reads the whole session. Undefined if it isn't stored yet. */
export async function readRules(session: SessionClient): Promise<readonly Rule[] | undefined> {
  let rules: readonly Rule[] | undefined;
  for (let after = 0; ;) {
    const { events, last } = await session.events({ after, limit: 1000 });
    for (const recorded of events) rules = rulesIn(recorded) ?? rules;
    const end = events.at(-1)?.seq;
    if (end === undefined || end >= last) return rules;
    after = end;
  }
}
