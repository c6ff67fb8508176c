/**
 * Several named agents side by side, each with a session of its own that is made when it is first spoken to.
 * Going from one to another and back finds the history, the prompt, the mode and the policy of each as they
 * were, because they are the session's; the sessions are children of the first one, so that a restart finds them.
 */
import type { SessionId } from '../../kernel/ids.ts';

/** One seat with a session for each agent that sits in it: switching keeps every history. */
export interface AgentSessions<Member extends { readonly id: SessionId }> {
  readonly agent: string;
  readonly session: Member;
  /** Where there is no such agent it rejects as `create` does, and everything stays as it is. */
  switchTo(agent: string): Promise<Member>;
}

export interface AgentSessionsParts<Member extends { readonly id: SessionId }> {
  create(options: { readonly agent: string; readonly parent: SessionId; readonly title: string }): Promise<Member>;
  open(session: string): Promise<Member>;
  list(query: { readonly parent: SessionId }): Promise<{
    readonly entries: readonly { readonly session: SessionId; readonly agent: string; readonly title: string }[];
  }>;
}

/** Starts with one agent's session; others are made when they are switched to. */
export function createAgentSessions<Member extends { readonly id: SessionId }>(
  parts: AgentSessionsParts<Member>,
  first: { readonly agent: string; readonly session: Member },
): AgentSessions<Member> {
  const known = new Map([[first.agent, first.session]]);
  let current = first;

  /** Workers are children too; a title tells those apart that are spoken to. */
  async function findOrCreate(agent: string): Promise<Member> {
    const title = `with ${agent}`;
    const parent = first.session.id;
    const { entries } = await parts.list({ parent });
    const found = entries.find((entry) => entry.agent === agent && entry.title === title);
    return found === undefined ? parts.create({ agent, parent, title }) : parts.open(found.session);
  }

  return {
    get agent() {
      return current.agent;
    },
    get session() {
      return current.session;
    },
    async switchTo(agent) {
      const session = known.get(agent) ?? (await findOrCreate(agent));
      known.set(agent, session);
      current = { agent, session };
      return session;
    },
  };
}
