/** Sends inputs to a session that another process owns: puts them into its inbox, and the owner answers. */
import type { Store } from '../../ports/store.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { InputBody } from '../../kernel/input.ts';
import { readerVersion } from '../../journal/reader-version.ts';
import { optional } from '../../kernel/optional.ts';
import type { Sender } from '../mailbox/letter.ts';
import type { Receipt } from '../receipt.ts';
import type { InboxLetter } from './serve-letters.ts';

const answerTimeoutMs = 1000;
const mostAnswerTimeouts = 3;

/** Durable once it resolves. The current or next owner takes the letter. */
export function sendLetter(
  store: Store,
  session: SessionId,
  body: InputBody,
  { by, key, digest }: Sender & { readonly key: string },
): Promise<number> {
  const letter: InboxLetter = { body, by, reader: readerVersion, ...optional({ digest }) };
  return store.inbox.put(session, { key, body: JSON.stringify(letter) });
}

/** `owner-silent`: no owner took it for a while, or there is no owner. */
export async function awaitReceipt(
  store: Store,
  session: SessionId,
  letter: number,
): Promise<Receipt | 'owner-silent'> {
  for (let attempt = 0; attempt < mostAnswerTimeouts; attempt += 1) {
    const answer = await store.inbox.answerTo(letter, { timeoutMs: answerTimeoutMs });
    if (answer !== undefined) return JSON.parse(answer) as Receipt;
    const claim = await store.leases.ownerOf(session);
    if (claim === undefined || claim.id === store.leases.self.id) return 'owner-silent';
  }
  return 'owner-silent';
}

/** Without waiting: for a letter to a session that nobody owned when it was sent. */
export async function receiptSoFar(
  store: Pick<Store, 'inbox'>,
  letter: number,
): Promise<Receipt | 'owner-silent'> {
  const answer = await store.inbox.answerTo(letter, { timeoutMs: 0 });
  return answer === undefined ? 'owner-silent' : (JSON.parse(answer) as Receipt);
}
