import type { Inbox } from '../journal/inbox.ts';
import type { Actor } from '../kernel/actor.ts';
import type { InputBody } from '../kernel/input.ts';
import type { LiveSession } from './live-session.ts';
import type { Receipt } from './receipt.ts';

/** What travels through an inbox: written by us in another process of the same store. */
export interface InboxLetter {
  readonly body: InputBody;
  readonly by: Actor;
  /** What the message's key stands for. */
  readonly digest?: string;
}

/**
 * Takes what other processes sent to a session that is alive here. The message's key goes into the
 * journal with the input, so that a message taken twice counts once.
 */
export async function serveInbox(inbox: Inbox, live: LiveSession): Promise<void> {
  for (const message of await inbox.take(live.id)) {
    const { body, ...from } = JSON.parse(message.body) as InboxLetter;
    const receipt: Receipt = await live.submit(body, { ...from, key: message.key });
    await inbox.settle(message.id, JSON.stringify(receipt));
  }
}
