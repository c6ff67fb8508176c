import { hash, randomUUID } from 'node:crypto';

import type { SessionId } from '../../kernel/ids.ts';
import { optional } from '../../kernel/optional.ts';
import type { AppendRequest, Projection } from '../../ports/journal.ts';
import { encodeRecord } from '../codec.ts';
import { projectionTuple, type EntryTuple, type ProjectionTuple } from '../projection-tuple.ts';
import { blobsNamedIn, sessionsForkedIn } from '../references.ts';
import { logPositionOf } from '../log-position.ts';

/** An append as `append-functions.ts` reads it. Absent parts cost nothing there. */
export interface AppendOp {
  /** Identifies this append. A repeated one has the same id. */
  readonly id: string;
  readonly session: SessionId;
  readonly position: number;
  /** The id of what is at that position. */
  readonly after: string;
  readonly epoch: number;
  readonly expected: number;
  readonly records: readonly StoredRow[];
  readonly shown?: Shown;
  readonly [part: string]: unknown;
}

type StoredRow = readonly [
  first: number,
  last: number,
  checksum: number,
  body: string,
  key: string | null,
  hash: string | null,
  digest: string | null,
];

export function appendOpOf(request: AppendRequest): AppendOp {
  const { session, expected, records, projection, creation, settles, recovered, refersTo, lost, leastReader } =
    request;
  const { at: position, append, epoch } = logPositionOf(request.position);
  let first = expected + 1;
  const stored = records.map(({ key, ...record }): StoredRow => {
    const { last, checksum, body } = encodeRecord(session, first, record);
    const row = [
      first,
      last,
      checksum,
      body,
      key?.key ?? null,
      key === undefined ? null : hashOf(key.key),
      key?.digest ?? null,
    ] as const;
    first = last + 1;
    return row;
  });
  const blobs = stored.flatMap(([, , , body]) => blobsNamedIn(body));
  const forked = expected === 0 ? sessionsForkedIn(session, stored[0]?.[3] ?? '') : [];
  return {
    id: request.id ?? randomUUID(),
    session,
    position,
    after: append,
    epoch,
    expected,
    records: stored,
    ...(stored.some(([, , , , key]) => key !== null) && { keyed: true }),
    ...(blobs.length > 0 && { blobs: [...new Set(blobs)] }),
    ...(forked.length > 0 && { forked }),
    ...(projection !== undefined && { shown: projectionJson(projection) }),
    ...(creation !== undefined && { creation: [hashOf(creation.key), creation.key, creation.digest] }),
    ...optional({ settles: settles?.map(({ letter, answer }) => [letter, answer]) }),
    ...(recovered === true && { recovered }),
    ...optional({ refersTo, lost, leastReader }),
  };
}

/** What changes in lists. */
interface Shown {
  readonly entry?: EntryTuple;
  readonly opened?: ProjectionTuple[1];
  readonly closed?: ProjectionTuple[2];
  readonly due?: ProjectionTuple[3];
}

export function projectionJson(projection: Projection): Shown {
  const [entry, opened, closed, due] = projectionTuple(projection);
  return {
    ...(entry !== null && { entry }),
    ...(opened !== null && { opened }),
    ...(closed !== null && { closed }),
    ...(due !== null && { due }),
  };
}

/** Short enough for an index, however long the key. */
export function hashOf(key: string): string {
  return hash('sha256', key, 'base64url');
}
