import type { SessionId } from '../../kernel/ids.ts';
import type { BuriedMessage, Inbox, InboxMessage } from '../../ports/inbox.ts';
import type { StoreParts } from './store-parts.ts';
import type { WriteOp } from './writer-protocol.ts';

export function createSqliteInbox({ read, writer, wakeUps }: StoreParts): Inbox {
  async function settle(op: Extract<WriteOp, readonly ['bury', ...unknown[]]>): Promise<void> {
    await writer.write(op);
    wakeUps.wakeOthers();
    wakeUps.look();
  }

  return {
    async put(session, { key, body }) {
      const id = (await writer.write(['put', session, key, body])) as number;
      wakeUps.wakeOthers();
      wakeUps.look();
      return id;
    },
    take: (session) =>
      read(`Taking the messages of session ${session}`, (db) => db.all<InboxMessage>(selectUnsettled, session)),
    withdraw: (id, answer) => settle(['bury', id, answer, null]),
    bury: (id, { answer, reason }) => settle(['bury', id, answer, reason]),
    buried: () => read('Listing unreadable messages', (db) => db.all<BuriedMessage>(selectBuried)),
    answerTo: (id, { timeoutMs }) => wakeUps.awaitAnswer(id, timeoutMs),
    pending: () =>
      read('Listing sessions with messages', (db) =>
        db.all<{ session: SessionId }>(selectPending).map(({ session }) => session),
      ),
    onArrival: (listener) => wakeUps.onArrival(listener),
  };
}

const selectUnsettled = 'SELECT id, key, body FROM inbox WHERE session = ? AND answer IS NULL ORDER BY id';
const selectBuried =
  'SELECT id, session, key, body, buried AS reason FROM inbox WHERE buried IS NOT NULL ORDER BY id';
const selectPending = 'SELECT DISTINCT session FROM inbox WHERE answer IS NULL ORDER BY session';
