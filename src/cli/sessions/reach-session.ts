/**
 * Sends inputs to a session from a command that must not run it. A live owner gets the input through the store and
 * answers. If no process runs the session, the input stays in its durable inbox until the next owner takes it.
 */
import type { Owner } from '../../ports/lease.ts';
import { isDead } from '../../journal/process-identity.ts';
import type { Store } from '../../ports/store.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { InputBody } from '../../kernel/input.ts';
import { hasEffectsInFlight } from '../../kernel/decide/end-turn.ts';
import type { State } from '../../kernel/state.ts';
import { createSystemIds } from '../../runtime/system-ids.ts';
import type { Receipt } from '../../session/receipt.ts';
import { submitRemotely } from '../../session/remote/submit-remotely.ts';
import type { InboxLetter } from '../../session/remote/serve-letters.ts';
import { terminalActor } from '../terminal-actor.ts';

/** The session's current owner. Undefined if the owning process is dead. */
export async function livingOwner({ leases }: Store, session: SessionId): Promise<Owner | undefined> {
  const owner = await leases.ownerOf(session);
  return owner === undefined || isDead(owner, leases.self) ? undefined : owner;
}

/** True if the session has unfinished work and no live owner. Resuming it continues the turn. */
export async function isLeftInTurn(store: Store, state: State): Promise<boolean> {
  if (!hasEffectsInFlight(state)) return false;
  return (await livingOwner(store, state.id)) === undefined;
}

/** `silent`: the input is durable, but the owner hasn't taken it yet. */
export async function askOwner(store: Store, session: SessionId, body: InputBody): Promise<Receipt | 'silent'> {
  const receipt = await submitRemotely(store, session, body, { by: terminalActor, key: uniqueKey() });
  return receipt === 'owner-silent' ? 'silent' : receipt;
}

export type Delivered =
  /** The process that runs the session accepted it. */
  | { readonly type: 'asked'; readonly pid: number }
  /** It is stored, and the next owner takes it. `letter` orders competing ones. */
  | { readonly type: 'kept'; readonly letter?: number }
  | { readonly type: 'refused'; readonly message: string };

export async function deliver(store: Store, session: SessionId, body: InputBody): Promise<Delivered> {
  const owner = await livingOwner(store, session);
  if (owner === undefined) return { type: 'kept', letter: await leaveLetter(store, session, body) };
  const receipt = await askOwner(store, session, body);
  if (receipt === 'silent') return { type: 'kept' };
  return receipt.type === 'accepted'
    ? { type: 'asked', pid: owner.pid }
    : { type: 'refused', message: receipt.refusal.message };
}

/** Returns the letter's id, which orders competing letters. */
function leaveLetter({ inbox }: Store, session: SessionId, body: InputBody): Promise<number> {
  const letter: InboxLetter = { body, by: terminalActor };
  return inbox.put(session, { key: uniqueKey(), body: JSON.stringify(letter) });
}

/** Withdraws a letter that came too late, so that the owner doesn't have to refuse it. */
export function takeBack({ inbox }: Store, id: number, message: string): Promise<void> {
  const receipt: Receipt = { type: 'refused', refusal: { code: 'conflict', message } };
  return inbox.withdraw(id, JSON.stringify(receipt));
}

/** Pending letters, oldest first. */
export async function lettersFor(
  { inbox }: Store,
  session: SessionId,
): Promise<readonly (InboxLetter & { readonly id: number })[]> {
  const messages = await inbox.take(session);
  return messages.map(({ id, body }) => ({ id, ...(JSON.parse(body) as InboxLetter) }));
}

function uniqueKey(): string {
  return createSystemIds(() => Date.now()).unique();
}
