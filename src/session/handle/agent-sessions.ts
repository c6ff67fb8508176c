/**
 * Several named agents side by side. Each has its own session, created on first use. Switching between them keeps
 * each agent's history, prompt, mode and policy, because those belong to the session. The sessions are children of
 * the first one, so a restart finds them.
 */
import type { SessionId } from '../../kernel/ids.ts';

/** One seat with a session per agent. Switching agents keeps every history. */
export interface AgentSessions<Member extends { readonly id: SessionId }> {
  readonly agent: string;
  readonly session: Member;
  /** If the agent doesn't exist, rejects as `create` does and changes nothing. */
  switchTo(agent: string): Promise<Member>;
}

interface AgentSessionsParts<Member extends { readonly id: SessionId }> {
  create(options: { readonly agent: string; readonly parent: SessionId; readonly title: string }): Promise<Member>;
  open(session: string): Promise<Member>;
  list(query: { readonly parent: SessionId }): Promise<{
    readonly entries: readonly { readonly session: SessionId; readonly agent: string; readonly title: string }[];
  }>;
}

/** Starts with one agent's session and creates others on the first switch. */
export function createAgentSessions<Member extends { readonly id: SessionId }>(
  parts: AgentSessionsParts<Member>,
  first: { readonly agent: string; readonly session: Member },
): AgentSessions<Member> {
  const members = new Map([[first.agent, first.session]]);
  let current = first;

  /** Workers are children too. The title identifies the agent sessions. */
  async function findOrCreate(agent: string): Promise<Member> {
    const title = `with ${agent}`;
    const parent = first.session.id;
    const { entries } = await parts.list({ parent });
    const match = entries.find((entry) => entry.agent === agent && entry.title === title);
    return match === undefined ? parts.create({ agent, parent, title }) : parts.open(match.session);
  }

  return {
    get agent() {
      return current.agent;
    },
    get session() {
      return current.session;
    },
    async switchTo(agent) {
      const session = members.get(agent) ?? (await findOrCreate(agent));
      members.set(agent, session);
      current = { agent, session };
      return session;
    },
  };
}
