import type { QuestionId, SessionId } from '../../kernel/ids.ts';
import { optional } from '../../kernel/optional.ts';
import type { Creation, Journal, KeptKey, Page, QuestionEntry, Snapshot } from '../../ports/journal.ts';
import type { CollectedPage } from '../collect.ts';
import { assertRecords } from '../new-records.ts';
import { appendOpOf } from './append-op.ts';
import { listDirectory, listDirectoryText } from './list-directory.ts';
import { findSession, readAfter, readBefore } from './read-records.ts';
import { damageOf } from '../stored-session-row.ts';
import type { StoreParts } from './store-parts.ts';
import { selectCreation, type AppendRefusal } from './write-append.ts';

export function createSqliteJournal({ read, writer, wakeUps, close }: StoreParts): Journal {
  /** Stores the damage that a read found: the session rejects writes. */
  async function noting(session: SessionId, { events, last, damages }: CollectedPage): Promise<Page> {
    const [damage] = damages;
    if (damage === undefined) return { events, last };
    await mark(session, damage);
    return { events, last, damage };
  }

  async function mark(session: SessionId, damage: { readonly seq: number; readonly reason: string } | undefined) {
    const row = await read('Reading', (db) => findSession(db, session));
    if (row === undefined || (row.damage_seq ?? undefined) === damage?.seq) return;
    await writer.write(['damage', session, damage?.seq ?? null, damage?.reason ?? null]);
  }

  return {
    async append(request) {
      assertRecords(request);
      const answer = await writer.write(appendOpOf(request));
      if (typeof answer !== 'number') return answer as AppendRefusal;
      if (request.settles !== undefined) {
        wakeUps.wakeOthers();
        wakeUps.look();
      }
      return { type: 'appended', seq: answer, position: request.position };
    },
    read: (session, { after, limit = Infinity }) =>
      read(`Reading session ${session}`, async (db) => {
        const row = findSession(db, session);
        if (row === undefined) return { events: [], last: 0 };
        // Opening asks for events after the snapshot, usually none.
        if (after >= row.seq) return { events: [], last: row.seq };
        return noting(session, await readAfter(db, row, { session, after, limit, atDamage: 'stop' }));
      }),
    readBack: (session, range) =>
      read(`Reading session ${session}`, (db) => {
        const row = findSession(db, session);
        if (row === undefined) return { events: [], last: 0 };
        return noting(session, readBefore(db, row, { session, ...range }));
      }),
    check: (session) =>
      read(`Checking session ${session}`, async (db) => {
        const row = findSession(db, session);
        if (row === undefined) return [];
        const whole = { session, after: 0, limit: Infinity, atDamage: 'go-on' } as const;
        const { damages } = await readAfter(db, row, whole);
        await mark(session, damages[0]);
        return damages;
      }),
    head: (session) =>
      read(`Reading session ${session}`, (db) => {
        const row = findSession(db, session);
        if (row === undefined) return undefined;
        const damage = damageOf(session, row);
        const { seq, epoch, least_reader: leastReader } = row;
        return { seq, epoch, ...(leastReader > 1 && { leastReader }), ...optional({ damage }) };
      }),
    keyed: (session, key) =>
      read(`Reading session ${session}`, (db) => db.get<KeptKey>(selectKeyOf, session, key)),
    createdWith: (key) => read('Looking for a session by its key', (db) => db.get<Creation>(selectCreation, key)),
    list: (query) => read('Listing sessions', (db) => listDirectory(db, query)),
    listText: (query) => read('Listing sessions', (db) => listDirectoryText(db, query)),
    openQuestions: ({ session }) =>
      read('Listing questions', (db) =>
        db
          .all<QuestionRow>(
            session === undefined ? selectQuestions : selectQuestionsOf,
            ...(session ? [session] : []),
          )
          .map(({ openedAt, id, session, type, about }): QuestionEntry => ({
            id,
            session,
            openedAt,
            type,
            about,
          })),
      ),
    loadSnapshot: (session) =>
      read(`Reading session ${session}`, (db) => db.get<Snapshot>(selectSnapshot, session)),
    async saveSnapshot(session, { seq, version, body }, { epoch }) {
      await writer.write(['snapshot', session, epoch, seq, version, body]);
    },
    onCommit: (listener) => wakeUps.onCommit(listener),
    [Symbol.asyncDispose]: close,
  };
}

interface QuestionRow {
  readonly id: QuestionId;
  readonly session: SessionId;
  readonly openedAt: number;
  readonly type: string;
  readonly about: string;
}

const selectQuestions = `
  SELECT q.id, s.id AS session, q.opened_at AS openedAt, q.type, q.about
  FROM questions q JOIN sessions s ON s.number = q.session ORDER BY q.opened_at, q.id`;
const selectQuestionsOf = `
  SELECT q.id, s.id AS session, q.opened_at AS openedAt, q.type, q.about
  FROM sessions s JOIN questions q ON q.session = s.number WHERE s.id = ? ORDER BY q.opened_at, q.id`;
const selectKeyOf = `
  SELECT digest, keys.seq FROM keys JOIN sessions ON sessions.number = keys.session
  WHERE sessions.id = ? AND key = ?`;
const selectSnapshot = `
  SELECT snapshots.seq, version, body FROM snapshots
  JOIN sessions ON sessions.number = snapshots.session WHERE sessions.id = ?`;
