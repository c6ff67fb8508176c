/** Who a client is and what it may do. Roles stand in one line: each may do what those before it may. */
import type { Actor } from '../kernel/actor.ts';
import type { ClientError } from '../protocol/error-code.ts';
import { roles, type Role } from '../protocol/http-schema.ts';
import type { WireAnswer, WireCreate, WireInput } from '../protocol/input-schema.ts';

export interface Identity {
  readonly role: Role;
  readonly actor: Actor;
  /** The token it came with, by its id: what rates are counted by. */
  readonly token: string;
  /** The ends of its connection, where it came over one of this machine. */
  readonly peer?: Peer;
}

export interface Peer {
  readonly remotePort?: number | undefined;
  readonly localPort?: number | undefined;
}

/** Which session a client runs inside of; undefined where a person sits there. */
export type SessionOfPeer = (peer: Peer) => string | undefined;

/** An agent may not decide for the person: not by an answer, a rule, a mode or a token (S19). */
export function selfApproval({ peer }: Identity, sessionOf: SessionOfPeer | undefined): ClientError | undefined {
  const session = peer === undefined ? undefined : sessionOf?.(peer);
  if (session === undefined) return undefined;
  return {
    code: 'FORBIDDEN',
    message: `Session ${session} runs this program, but only a person can decide this.`,
  };
}

/** `doing` begins a sentence's second half: "forking a session", "POST /api/v1/tokens". */
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
    case 'queue':
    case 'agent':
    case 'close':
      return 'prompter';
    // A mode says whether people are asked at all.
    case 'mode':
    case 'agent-setting':
      return 'approver';
    case 'policy':
    case 'limits':
    // The program decides what becomes of it: that may be any of these.
    case 'custom':
      return 'owner';
  }
}

export function roleForAnswer(answer: WireAnswer): Role {
  return 'choice' in answer && answer.choice === 'allow-always' ? 'owner' : 'approver';
}

/** Limits guard the owner's money, so they are the owner's to set. */
export function roleForCreate({ limits }: WireCreate): Role {
  return limits === undefined ? 'prompter' : 'owner';
}
