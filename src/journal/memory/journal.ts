import type { SessionId } from '../../kernel/ids.ts';
import { optional } from '../../kernel/optional.ts';
import { epochOf } from '../epoch-position.ts';
import { listEntries } from '../list-entries.ts';
import type {
  AppendAnswer,
  AppendRequest,
  Journal,
  NewRecord,
  Projection,
  QuestionEntry,
} from '../../ports/journal.ts';
import { assertRecords } from '../new-records.ts';
import { blobsNamedIn, sessionsForkedIn } from '../references.ts';
import { findRepeatedKey } from '../repeated-key.ts';
import { settleMessage } from './inbox.ts';
import { checkRecords, readAfter, readBefore } from './read.ts';
import { referencedBlobs } from './sweep-blobs.ts';
import {
  answerAsProcess,
  leaveSeat,
  ensureSession,
  type MemorySession,
  type Seat,
  type Shared,
} from './shared.ts';

export function createMemoryJournal(shared: Shared, seat: Seat): Journal {
  const sessionsWhere = (test: (session: MemorySession) => boolean) => [...shared.sessions.values()].filter(test);

  function append(request: AppendRequest): AppendAnswer {
    assertRecords(request);
    const existing = shared.sessions.get(request.session);
    const repeated = existing && repeatedSeq(request, existing);
    if (repeated !== undefined) return { type: 'appended', seq: repeated, position: request.position };
    const refusal =
      refuse(request, existing) ??
      originMissing(request) ??
      createdBefore(request) ??
      withoutBlobs(shared, request);
    if (refusal !== undefined) return refusal;
    const session = existing ?? ensureSession(shared, request.session);
    if (session.epoch === 0) {
      session.epoch = 1;
      session.owner = seat;
      seat.held.set(session.id, 1);
    }
    if (request.expected === 0) session.refersTo = referencesOf(request);
    for (const record of request.records) add(session, record, request.id);
    if (request.projection !== undefined) project(session, request.projection);
    if (request.recovered === true) session.isUnclean = false;
    session.leastReader = Math.max(session.leastReader, request.leastReader ?? 1);
    for (const { letter, answer: text } of request.settles ?? []) settleMessage(shared, letter, text);
    const { creation } = request;
    if (creation !== undefined)
      shared.creations.set(creation.key, { session: session.id, digest: creation.digest });
    const { id, seq } = session;
    const isNews = request.records.length > 0;
    for (const { commits } of shared.seats) if (isNews && commits.size > 0) commits.tell({ session: id, seq });
    return { type: 'appended', seq, position: request.position };
  }

  function originMissing({ refersTo }: AppendRequest): AppendAnswer | undefined {
    const missing = refersTo?.find((origin) => !shared.sessions.has(origin));
    return missing === undefined ? undefined : { type: 'origin-missing', session: missing };
  }

  function createdBefore({ creation }: AppendRequest): AppendAnswer | undefined {
    const before = creation && shared.creations.get(creation.key);
    return before && { type: 'created-before', ...before };
  }

  return {
    append: (request) => answerAsProcess(seat, () => append(request)),
    read: (id, range) => answerAsProcess(seat, () => readAfter(shared.sessions.get(id), range)),
    readBack: (id, range) => answerAsProcess(seat, () => readBefore(shared.sessions.get(id), range)),
    check: (id) => answerAsProcess(seat, () => checkRecords(shared.sessions.get(id))),
    head: (id) =>
      answerAsProcess(seat, () => {
        const session = shared.sessions.get(id);
        if (session === undefined) return undefined;
        const { seq, epoch, leastReader, damage } = session;
        return { seq, epoch, ...(leastReader > 1 && { leastReader }), ...optional({ damage }) };
      }),
    keyed: (id, key) => answerAsProcess(seat, () => shared.sessions.get(id)?.keys.get(key)),
    createdWith: (key) => answerAsProcess(seat, () => shared.creations.get(key)),
    list: (query) => answerAsProcess(seat, () => listEntries(shared.sessions.values(), query)),
    listText: (query) =>
      answerAsProcess(seat, () => {
        const { entries, cursor } = listEntries(shared.sessions.values(), query);
        return { entries: JSON.stringify(entries), ...optional({ cursor }) };
      }),
    openQuestions: ({ session }) =>
      answerAsProcess(seat, () =>
        sessionsWhere(({ id }) => session === undefined || id === session)
          .flatMap(({ questions }) => Array.from(questions.values()))
          .toSorted(byOpening),
      ),
    loadSnapshot: (id) => answerAsProcess(seat, () => shared.sessions.get(id)?.snapshot),
    saveSnapshot: (id, snapshot, { epoch }) =>
      answerAsProcess(seat, () => {
        const session = shared.sessions.get(id);
        if (session?.epoch === epoch && snapshot.seq <= session.seq) session.snapshot = snapshot;
      }),
    onCommit: (listener) => seat.commits.add(listener),
    [Symbol.asyncDispose]: () => {
      leaveSeat(shared, seat, 'closed');
      return Promise.resolve();
    },
  };
}

function withoutBlobs(shared: Shared, { records, lost = [] }: AppendRequest): AppendAnswer | undefined {
  const named = new Set(records.flatMap(({ events }) => events.flatMap(blobsNamedIn)));
  const absent = [...named].filter((hash) => !shared.blobs.has(hash) && !lost.includes(hash));
  if (absent.length === 0) return undefined;
  const referenced = referencedBlobs(shared);
  const hashes = absent.filter((hash) => !referenced.has(hash));
  return hashes.length === 0 ? undefined : { type: 'blob-missing', hashes };
}

function refuse(request: AppendRequest, session: MemorySession | undefined): AppendAnswer | undefined {
  const { epoch = 0, seq = 0 } = session ?? {};
  // The first append claims a session without an owner.
  if (epochOf(request.position) !== (epoch || 1)) return { type: 'fenced', epoch };
  if (session?.damage !== undefined) return { type: 'damaged', damage: session.damage };
  if (request.expected !== seq) return { type: 'conflict', seq };
  if (request.records.every(({ key }) => key === undefined)) return undefined;
  return findRepeatedKey(placed(request), (key) => session?.keys.get(key));
}

/** The sequence after an append that was written before and is repeated. */
function repeatedSeq(request: AppendRequest, { epoch, seq: head, records }: MemorySession): number | undefined {
  const { id, position, expected } = request;
  if (id === undefined || expected === head || epochOf(position) !== epoch) return undefined;
  const isOurs = records.some(({ first, append }) => first === expected + 1 && append === id);
  return isOurs ? request.records.reduce((seq, { events }) => seq + events.length, expected) : undefined;
}

function referencesOf({ session, records }: AppendRequest): readonly SessionId[] {
  const [first] = records;
  return first === undefined ? [] : sessionsForkedIn(session, first.events.join(','));
}

function placed({ records, expected }: AppendRequest) {
  let seq = expected + 1;
  return records.map(({ key, events }) => {
    const first = seq;
    seq += events.length;
    return { first, key: key?.key, digest: key?.digest };
  });
}

function add(session: MemorySession, record: NewRecord, append: string | undefined): void {
  const first = session.seq + 1;
  session.records.push({ first, record, ...optional({ append }) });
  session.seq += record.events.length;
  if (record.key !== undefined) session.keys.set(record.key.key, { digest: record.key.digest, seq: first });
}

function project(
  session: MemorySession,
  { entry, questionsOpened, questionsClosed, due, inFlight = false }: Projection,
): void {
  if (entry !== undefined) {
    session.entry = entry;
    session.inFlight = inFlight;
  }
  for (const question of questionsOpened ?? []) session.questions.set(question.id, question);
  for (const id of questionsClosed ?? []) session.questions.delete(id);
  if (due !== undefined) session.due = due ?? undefined;
}

function byOpening(a: QuestionEntry, b: QuestionEntry): number {
  return a.openedAt - b.openedAt || (a.id < b.id ? -1 : 1);
}
