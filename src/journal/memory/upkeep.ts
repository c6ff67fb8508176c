import { rondoVersion } from '../rondo-version.ts';
import type { BlobHash } from '../../kernel/ids.ts';
import { optional } from '../../kernel/optional.ts';
import type { Blobs } from '../../ports/blobs.ts';
import { encodeRecord } from '../codec.ts';
import { blobsNamedIn } from '../references.ts';
import { excerptOf, holdsWords, searchableText, searchWords } from '../searchable-text.ts';
import type { KeyedRecord, SearchHit, Seen, Upkeep, UpkeepAnswer } from '../../ports/upkeep.ts';
import { sweepMemoryBlobs } from './sweep-blobs.ts';
import { answerAsProcess, type MemorySession, type Seat, type Shared } from './shared.ts';

export function createMemoryUpkeep(shared: Shared, seat: Seat, blobs: Blobs): Upkeep {
  const all = () => [...shared.sessions.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));

  function owned(session: MemorySession | undefined, { epoch, seq }: Seen): MemorySession | undefined {
    const isOurs = session?.owner === seat && session.epoch === epoch && session.seq === seq;
    return isOurs ? session : undefined;
  }

  return {
    records: (id, { after, limit }) =>
      answerAsProcess(seat, () => {
        const session = shared.sessions.get(id);
        const stored = session === undefined ? [] : storedRecords(session);
        return stored.filter(({ last }) => last > after).slice(0, limit);
      }),
    sessions: () => answerAsProcess(seat, () => all().map(({ id }) => id)),
    sizes: () => answerAsProcess(seat, () => new Map(all().map((session) => [session.id, sizeOf(session)]))),
    shown: (id) =>
      answerAsProcess(seat, () => {
        const {
          entry,
          questions = new Map<never, never>(),
          due,
          inFlight = false,
        } = shared.sessions.get(id) ?? {};
        const listed = { questions: [...questions.values()], due: due ?? null, inFlight };
        return entry === undefined ? listed : { entry, ...listed };
      }),
    show: (id, { entry, questions, due, inFlight }, { seq }) =>
      answerAsProcess(seat, (): UpkeepAnswer => {
        const session = shared.sessions.get(id);
        if (session?.seq !== seq) return 'changed';
        session.entry = entry;
        session.questions.clear();
        for (const question of questions) session.questions.set(question.id, question);
        session.due = due ?? undefined;
        session.inFlight = inFlight;
        return 'done';
      }),
    setAside: (id, seen, { from }) =>
      answerAsProcess(seat, (): UpkeepAnswer => {
        const session = owned(shared.sessions.get(id), seen);
        if (session === undefined) return 'changed';
        const kept = session.records.filter(({ first }) => first < from);
        shared.setAside.push(...storedRecords(session).filter(({ first }) => first >= from));
        session.records.splice(0, Infinity, ...kept);
        for (const [key, { seq }] of session.keys) if (seq >= from) session.keys.delete(key);
        const last = kept.at(-1);
        session.seq = last === undefined ? 0 : last.first + last.record.events.length - 1;
        if ((session.snapshot?.seq ?? 0) > session.seq) session.snapshot = undefined;
        session.damage = undefined;
        return 'done';
      }),
    remove: (id, seen, { family }) =>
      answerAsProcess(seat, (): UpkeepAnswer => {
        const letters = [...shared.messages.values()].some(
          ({ session, answer: given }) => session === id && given === undefined,
        );
        const isReferredTo = all().some((one) => one.refersTo.includes(id) && !family.includes(one.id));
        if (letters || isReferredTo || owned(shared.sessions.get(id), seen) === undefined) return 'changed';
        shared.sessions.delete(id);
        seat.held.delete(id);
        shared.hosted.delete(id);
        for (const [key, { session }] of shared.creations) if (session === id) shared.creations.delete(key);
        return 'done';
      }),
    blobsOf: (id) =>
      answerAsProcess(seat, () => {
        const session = shared.sessions.get(id);
        const records = session === undefined ? [] : storedRecords(session);
        return [...new Set<BlobHash>(records.flatMap(({ body }) => blobsNamedIn(body)))].toSorted();
      }),
    sweepBlobs: (options) => answerAsProcess(seat, () => sweepMemoryBlobs(shared, options)),
    forks: () =>
      answerAsProcess(seat, () =>
        all().flatMap(({ id, refersTo }) => (refersTo.length === 0 ? [] : [{ session: id, refersTo }])),
      ),
    search: ({ text, limit = 20, session: wanted }) =>
      answerAsProcess(seat, async () => {
        if (searchWords(text).length === 0) return [];
        const hits: SearchHit[] = [];
        for (const session of all()) {
          if (wanted !== undefined && session.id !== wanted) continue;
          const texts = await Promise.all(
            storedRecords(session).map(async (record) => ({
              first: record.first,
              words: await searchableText(record, blobs),
            })),
          );
          const holding = texts.filter((one) => one.words !== '' && holdsWords(one.words, text)).toReversed();
          for (const hit of wanted === undefined ? holding.slice(0, 1) : holding)
            hits.push({ session: session.id, seq: hit.first, excerpt: excerptOf(hit.words, text) });
        }
        return hits.slice(0, limit);
      }),
    owners: () =>
      answerAsProcess(seat, () =>
        [...new Set([...shared.seats, ...all().flatMap(({ owner }) => owner ?? [])])].map((one) => ({
          owner: one.owner,
          sessions: all().filter(({ owner }) => owner === one).length,
          isGone: one.status !== 'alive',
        })),
      ),
    problems: () => answerAsProcess(seat, () => []),
    writers: () => answerAsProcess(seat, () => [rondoVersion()]),
  };
}

function storedRecords(session: MemorySession): readonly KeyedRecord[] {
  return session.records.map(({ first, record }) => ({
    ...encodeRecord(session.id, first, record),
    ...optional({ key: record.key }),
  }));
}

function sizeOf(session: MemorySession): number {
  const records = storedRecords(session).reduce((sum, { body }) => sum + Buffer.byteLength(body) + 40, 0);
  return records + Buffer.byteLength(session.snapshot?.body ?? '');
}
