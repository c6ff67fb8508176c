import { encodeRecord } from '../codec.ts';
import type { AppendRequest } from '../../ports/journal.ts';
import { epochOf } from '../epoch-position.ts';
import { projectionTuple } from '../projection-tuple.ts';
import type { AppendOp, StoredTuple } from './writer-protocol.ts';

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
    id,
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
    id !== undefined,
  ];
}
