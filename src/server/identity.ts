/** A client's identity and rights. Roles are ordered: each includes the rights of those before it. */
import type { Actor } from '../kernel/actor.ts';
import type { ClientError } from '../protocol/error-code.ts';
import type { ClientMessage } from '../protocol/client-message.ts';
import { roles, type Role } from '../protocol/http-schema.ts';
import type { WireAnswer, WireCreate, WireInput } from '../protocol/input-schema.ts';

export interface Identity {
  readonly role: Role;
  readonly actor: Actor;
  /** The id of its token. Rate limits count by it. */
  readonly token: string;
  /** Another node asks for this client: it may follow this session here, and nothing else. */
  readonly only?: string;
  /** Both ends of the connection, if it comes from this machine. */
  readonly peer?: Peer;
}

export interface Peer {
  readonly remotePort?: number | undefined;
  readonly localPort?: number | undefined;
}

/** The session in which a client runs. Undefined if the client isn't part of a session. */
export type SessionOfPeer = (peer: Peer) => string | undefined;

/** An agent must not decide for a person: not by an answer, a rule, a mode or a token (S19). */
export function selfApproval({ peer }: Identity, sessionOf: SessionOfPeer | undefined): ClientError | undefined {
  const session = peer === undefined ? undefined : sessionOf?.(peer);
  if (session === undefined) return undefined;
  return {
    code: 'FORBIDDEN',
    message: `Session ${session} runs this program, but only a person can decide this.`,
  };
}

/** A node asks only for what its clients follow. */
export function beyondLink({ only }: Identity, message: ClientMessage): ClientError | undefined {
  const isFollowing = message.type === 'session.follow' || message.type === 'session.unfollow';
  if (only === undefined || (isFollowing && message.session === only)) return undefined;
  return { code: 'FORBIDDEN', message: `A node can follow session ${only} here, and nothing else.` };
}

/** `doing` completes a sentence: "forking a session", "POST /api/v1/tokens". */
export function lacks({ role, actor }: Identity, needed: Role, doing: string): ClientError | undefined {
  if (roles.indexOf(role) >= roles.indexOf(needed)) return undefined;
  return {
    code: 'FORBIDDEN',
    message: `Token ${actor.name} is ${articleOf(role)} ${role}; ${doing} requires ${needed}. An owner issues one with \`rondo token create NAME --role ${needed}\`.`,
  };
}

function articleOf(role: Role): string {
  return /^[aeiou]/.test(role) ? 'an' : 'a';
}

export function roleForInput(input: WireInput): Role {
  switch (input.type) {
    case 'chat':
    case 'task':
    case 'tasks':
    case 'compact':
    case 'interrupt':
    case 'retry-now':
    case 'queue':
    case 'agent':
    case 'title':
    case 'close':
      return 'prompter';
    // A mode decides whether people are asked at all.
    case 'mode':
    case 'agent-setting':
      return 'approver';
    case 'policy':
    case 'rules':
    case 'limits':
    // The program decides how to handle it, so it may amount to any of these.
    case 'custom':
      return 'owner';
  }
}

export function roleForAnswer(answer: WireAnswer): Role {
  return 'choice' in answer && answer.choice === 'allow-always' ? 'owner' : 'approver';
}

/** Limits protect the owner's money, so only the owner sets them. */
export function roleForCreate({ limits }: WireCreate): Role {
  return limits === undefined ? 'prompter' : 'owner';
}
