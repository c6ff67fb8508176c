import { encodeRecord } from '../codec.ts';
import type { AppendRequest, DirectoryEntry, Projection } from '../journal.ts';
import type { AppendOp, EntryTuple, ProjectionTuple, StoredTuple } from './writer-protocol.ts';

/** An append as it goes to the writer: records encoded, projections split into columns. */
export function appendOpOf(request: AppendRequest): AppendOp {
  const { session, epoch, expected, records, projection, creation, lost } = request;
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
    epoch,
    expected,
    stored,
    projection === undefined ? null : projectionTuple(projection),
    creation === undefined ? null : [creation.key, creation.digest],
    ...(lost === undefined ? ([] as const) : ([lost] as const)),
  ];
}

export function projectionTuple({ entry, questionsOpened, questionsClosed, due }: Projection): ProjectionTuple {
  return [
    entry === undefined ? null : entryOf(entry),
    questionsOpened?.map(({ id, openedAt, type, about }) => [id, openedAt, type, about] as const) ?? null,
    questionsClosed ?? null,
    due === undefined ? null : [due],
  ];
}

function entryOf(entry: DirectoryEntry): EntryTuple {
  const { updatedAt, state, agent, parent, title, origin } = entry;
  const body = JSON.stringify(entry);
  return [updatedAt, body, state, agent, parent ?? null, title.toLowerCase(), origin?.session ?? null];
}
