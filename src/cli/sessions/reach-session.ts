/**
 * Inputs for a session from a command that must not run it. A living owner is asked through the
 * store and answers; for a session that nobody runs the input is left in its inbox, durable, and is
 * taken by whoever runs it next.
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

/** Who runs the session at this moment. A dead process is nobody. */
export async function livingOwner({ leases }: Store, session: SessionId): Promise<Owner | undefined> {
  const owner = await leases.ownerOf(session);
  return owner === undefined || isDead(owner, leases.self) ? undefined : owner;
}

/** Work of it is under way and nobody is there to do it: whoever goes on with it takes up its turn. */
export async function isLeftInTurn(store: Store, state: State): Promise<boolean> {
  if (!hasEffectsInFlight(state)) return false;
  return (await livingOwner(store, state.id)) === undefined;
}

/** `silent`: it is durable, and its owner has not taken it yet. */
export async function askOwner(store: Store, session: SessionId, body: InputBody): Promise<Receipt | 'silent'> {
  const receipt = await submitRemotely(store, session, body, { by: terminalActor, key: uniqueKey() });
  return receipt === 'owner-silent' ? 'silent' : receipt;
}

/** The id that tells which of two letters was first. */
export function leaveLetter({ inbox }: Store, session: SessionId, body: InputBody): Promise<number> {
  const letter: InboxLetter = { body, by: terminalActor };
  return inbox.put(session, { key: uniqueKey(), body: JSON.stringify(letter) });
}

/** A letter that came too late is not left for the owner to refuse. */
export function takeBack({ inbox }: Store, id: number, message: string): Promise<void> {
  const receipt: Receipt = { type: 'refused', refusal: { code: 'conflict', message } };
  return inbox.withdraw(id, JSON.stringify(receipt));
}

/** What waits in the inbox, oldest first. */
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
