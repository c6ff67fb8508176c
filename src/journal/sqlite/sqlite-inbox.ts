import type { SessionId } from '../../kernel/ids.ts';
import type { Inbox, InboxMessage } from '../inbox.ts';
import type { StoreParts } from './store-parts.ts';

export function createSqliteInbox({ read, writer, wakeUps }: StoreParts): Inbox {
  return {
    async put(session, { key, body }) {
      const id = (await writer.write(['put', session, key, body])) as number;
      wakeUps.wakeOthers();
      wakeUps.look();
      return id;
    },
    take: (session) =>
      read(`Taking the messages of session ${session}`, (db) => db.all<InboxMessage>(selectUnsettled, session)),
    async settle(id, answer) {
      await writer.write(['settle', id, answer]);
      wakeUps.wakeOthers();
      wakeUps.look();
    },
    answerTo: (id, { timeoutMs }) => wakeUps.awaitAnswer(id, timeoutMs),
    pending: () =>
      read('Listing sessions with messages', (db) =>
        db.all<{ session: SessionId }>(selectPending).map(({ session }) => session),
      ),
    onArrival: (listener) => wakeUps.onArrival(listener),
  };
}

const selectUnsettled = 'SELECT id, key, body FROM inbox WHERE session = ? AND answer IS NULL ORDER BY id';
const selectPending = 'SELECT DISTINCT session FROM inbox WHERE answer IS NULL ORDER BY session';
