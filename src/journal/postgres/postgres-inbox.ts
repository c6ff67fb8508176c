import { randomUUID } from 'node:crypto';

import type { SessionId } from '../../kernel/ids.ts';
import type { BuriedMessage, Inbox, InboxMessage } from '../../ports/inbox.ts';
import type { StoreParts } from './store-parts.ts';

export function createPostgresInbox({ db, s, clock, wakeUps }: StoreParts): Inbox {
  async function settle(id: number, answer: string, reason: string | null): Promise<void> {
    await db.rows(
      `Answering message ${id}`,
      `UPDATE ${s}.inbox SET answer = $2, settled_at = $3, buried = $4 WHERE id = $1 AND answer IS NULL`,
      [id, answer, clock.now(), reason],
    );
    wakeUps.wakeOthers();
    wakeUps.look();
  }

  return {
    async put(session, { key, body }) {
      const id = await db.value<number>(
        `Sending a message to session ${session}`,
        `SELECT ${s}.put_letter($1, $2, $3, $4)`,
        [session, key, body, randomUUID()],
      );
      wakeUps.wakeOthers();
      wakeUps.look();
      return id;
    },
    take: (session) =>
      db.rows<InboxMessage>(
        `Taking the messages of session ${session}`,
        `SELECT id, key, body FROM ${s}.inbox WHERE session = $1 AND answer IS NULL ORDER BY id`,
        [session],
      ),
    withdraw: (id, answer) => settle(id, answer, null),
    bury: (id, { answer, reason }) => settle(id, answer, reason),
    buried: () =>
      db.rows<BuriedMessage>(
        'Listing unreadable messages',
        `SELECT id, session, key, body, buried AS reason FROM ${s}.inbox WHERE buried IS NOT NULL ORDER BY id`,
      ),
    answerTo: (id, { timeoutMs }) => wakeUps.awaitAnswer(id, timeoutMs),
    async pending() {
      const rows = await db.rows<{ session: SessionId }>(
        'Listing sessions with messages',
        `SELECT DISTINCT session FROM ${s}.inbox WHERE answer IS NULL ORDER BY session`,
      );
      return rows.map(({ session }) => session);
    },
    onArrival: (listener) => wakeUps.onArrival(listener),
  };
}
