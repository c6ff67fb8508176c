/**
 * Looks up a key's first answer before anything else: the same key gets the same answer, whatever the session did
 * since.
 */
import type { Journal, KeptKey } from '../../ports/journal.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { Receipt } from '../receipt.ts';

export interface UsedKey {
  readonly key: string;
  readonly digest: string;
}

/** Undefined if the key is new. */
export async function receiptOfKey(
  journal: Journal,
  session: SessionId,
  used: UsedKey,
): Promise<Receipt | undefined> {
  const kept = await journal.keyed(session, used.key);
  return kept && receiptOf(journal, session, used, kept);
}

export async function receiptOf(
  journal: Journal,
  session: SessionId,
  { key, digest }: UsedKey,
  kept: KeptKey,
): Promise<Receipt> {
  if (kept.digest !== digest) {
    const message = `the key ${key} was used for another input (event ${kept.seq}); use a fresh key`;
    return { type: 'refused', refusal: { code: 'conflict', message } };
  }
  const { events } = await journal.read(session, { after: kept.seq - 1, limit: 1 });
  return { type: 'accepted', seq: namedIn(events)?.seq ?? kept.seq };
}

/** The event in a record that its receipt names: the prompt if there is one, else the first. */
export function namedIn(events: readonly Recorded[]): Recorded | undefined {
  return events.find(({ event }) => event.type === 'prompt-received') ?? events[0];
}
