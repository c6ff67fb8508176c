/**
 * Sends inputs to a session from a command that must not run it. A live owner gets the input through the store and
 * answers. If no process runs the session, the input stays in its durable inbox until the next owner takes it.
 */
import type { Owner } from '../../ports/lease.ts';
import { isDead } from '../../journal/process-identity.ts';
import type { Store } from '../../ports/store.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { InputBody } from '../../kernel/input.ts';
import type { DirectoryEntry } from '../../views/directory.ts';
import { optional } from '../../kernel/optional.ts';
import { hasEffectsInFlight } from '../../kernel/decide/end-turn.ts';
import type { State } from '../../kernel/state.ts';
import { createSystemIds } from '../../runtime/system-ids.ts';
import type { Receipt } from '../../session/receipt.ts';
import { awaitReceipt, receiptSoFar, sendLetter } from '../../session/remote/submit-remotely.ts';
import { readLetter, type InboxLetter } from '../../session/remote/serve-letters.ts';
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

/** Why a command doesn't open such a session. */
export function stoppedInTurn(id: SessionId): string {
  return `session ${id} stopped in the middle of a turn; resume it (rondo run --session ${id}) or cancel it (rondo cancel ${id}) first`;
}

/** The same from a row of a list. */
export async function isLeftAtWork(store: Store, { session, state }: DirectoryEntry): Promise<boolean> {
  const isAtWork = state === 'running' || state === 'cancelling';
  return isAtWork && (await livingOwner(store, session)) === undefined;
}

export type Delivered =
  /** Accepted; this process continues the session. */
  | { readonly type: 'asked'; readonly pid: number }
  /**
   * It is stored, and the next owner takes or has taken it. `letter` orders competing ones, and `silent` is the
   * process of an owner that doesn't answer.
   */
  | { readonly type: 'kept'; readonly letter: number; readonly silent?: number }
  | { readonly type: 'refused'; readonly message: string };

/** Without an owner nobody answers, unless a process has just opened the session. */
export async function deliver(store: Store, session: SessionId, body: InputBody): Promise<Delivered> {
  const key = createSystemIds(() => Date.now()).unique();
  const before = await livingOwner(store, session);
  const letter = await sendLetter(store, session, body, { by: terminalActor, key });
  const receipt = await (before !== undefined
    ? awaitReceipt(store, session, letter)
    : receiptSoFar(store, letter));
  if (receipt !== 'owner-silent' && receipt.type === 'refused')
    return { type: 'refused', message: receipt.refusal.message };
  // It may have died since, or a third process took the letter.
  const owner = await livingOwner(store, session);
  if (receipt === 'owner-silent')
    return { type: 'kept', letter, ...(before?.id === owner?.id && optional({ silent: owner?.pid })) };
  return owner === undefined ? { type: 'kept', letter } : { type: 'asked', pid: owner.pid };
}

/** Withdraws a letter that came too late, so that the owner doesn't have to refuse it. */
export function takeBack({ inbox }: Store, id: number, message: string): Promise<void> {
  const receipt: Receipt = { type: 'refused', refusal: { code: 'conflict', message } };
  return inbox.withdraw(id, JSON.stringify(receipt));
}

/** Pending letters, oldest first. The owner sets unreadable ones aside. */
export async function lettersFor(
  { inbox }: Store,
  session: SessionId,
): Promise<readonly (InboxLetter & { readonly id: number })[]> {
  const messages = await inbox.take(session);
  return messages.flatMap(({ id, body }) => {
    const letter = readLetter(body);
    return letter === undefined ? [] : [{ id, ...letter }];
  });
}
