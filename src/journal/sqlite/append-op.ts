import { encodeRecord } from '../codec.ts';
import type { AppendRequest, Projection } from '../../ports/journal.ts';
import type { DirectoryEntry } from '../../views/directory.ts';
import { epochOf } from '../epoch-position.ts';
import type { AppendOp, EntryTuple, ProjectionTuple, StoredTuple } from './writer-protocol.ts';

/** Prepares an append for the writer: encoded records, projections as columns. */
export function appendOpOf(request: AppendRequest): AppendOp {
  const {
    session,
    position,
    expected,
    records,
    projection,
    creation,
    settles,
    recovered,
    refersTo,
    lost,
    leastReader,
  } = request;
  let first = expected + 1;
  const stored = records.map((record): StoredTuple => {
    const { last, checksum, body } = encodeRecord(session, first, record);
    const tuple = [first, last, checksum, body, record.key?.key ?? null, record.key?.digest ?? null] as const;
    first = last + 1;
    return tuple;
  });
  return [
    'append',
    session,
    epochOf(position),
    expected,
    stored,
    projection === undefined ? null : projectionTuple(projection),
    creation === undefined ? null : [creation.key, creation.digest],
    settles?.map(({ letter, answer }) => [letter, answer] as const) ?? null,
    recovered ?? false,
    refersTo ?? null,
    lost ?? null,
    leastReader ?? null,
  ];
}

export function projectionTuple({
  entry,
  questionsOpened,
  questionsClosed,
  due,
  inFlight = false,
}: Projection): ProjectionTuple {
  return [
    entry === undefined ? null : entryOf(entry, inFlight),
    questionsOpened?.map(({ id, openedAt, type, about }) => [id, openedAt, type, about] as const) ?? null,
    questionsClosed ?? null,
    due === undefined ? null : [due],
  ];
}

function entryOf(entry: DirectoryEntry, inFlight: boolean): EntryTuple {
  const { updatedAt, state, agent, parent, title, origin } = entry;
  const body = JSON.stringify(entry);
  return [
    updatedAt,
    body,
    state,
    agent,
    parent ?? null,
    title.toLowerCase(),
    origin?.session ?? null,
    inFlight ? 1 : 0,
  ];
}
