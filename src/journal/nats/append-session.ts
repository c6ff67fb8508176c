/**
 * One append.
 *
 * 1. What makes a session findable is written before its first message: the creation key and its directory entry (O11).
 * 2. References to blobs are written before the message, then the blobs are looked for again, so a sweep sees one of
 *    both (O10).
 * 3. The message follows the owner's last one. On a conflict the first message after the position decides: ours means
 *    appended (O16), a later epoch means fenced.
 */
import { hash, randomUUID } from 'node:crypto';

import type { BlobHash, SessionId } from '../../kernel/ids.ts';
import { optional } from '../../kernel/optional.ts';
import type { AppendAnswer, AppendRequest, Damage } from '../../ports/journal.ts';
import { encodeRecord } from '../codec.ts';
import { logPositionOf, opaque } from '../log-position.ts';
import { blobsNamedIn, sessionsForkedIn } from '../references.ts';
import { findRepeatedKey } from '../repeated-key.ts';
import type { Creations } from './creations.ts';
import type { BlobRows } from './nats-blobs.ts';
import type { ListedAt } from './session-directory.ts';
import {
  headOf,
  logMessageOf,
  noHead,
  recordOverhead,
  type LogHead,
  type LogMessage,
  type LogRecord,
} from './session-log.ts';
import type { Tail } from './log-writer.ts';
import type { NatsParts } from './store-parts.ts';

export interface AppendParts extends NatsParts {
  readonly creations: Creations;
  readonly blobRows: BlobRows;
}

/** Must run in the session's turn. */
export async function appendToSession(parts: AppendParts, request: AppendRequest): Promise<AppendAnswer> {
  const { writer, layout, client } = parts;
  const { session, expected, id = randomUUID() } = request;
  const follows = logPositionOf(request.position);
  for (;;) {
    const tail = writer.tails.get(session);
    if (tail === undefined || tail.at !== follows.at || tail.head.epoch !== follows.epoch) {
      const newest = await writer.newest(session, follows.at);
      const head = headOf(newest);
      if (newest === undefined || head === undefined) {
        const refusal =
          expected > 0 ? lostOrConflict(request, follows.at) : follows.epoch === 1 ? undefined : fenced(0);
        if (refusal !== undefined) return refusal;
        const created = await create(parts, request, id, newest);
        if (created !== undefined) return created;
        continue;
      }
      return late(parts, request, id, newest);
    }
    const refusal = await refuse(parts, request, tail);
    if (refusal !== undefined) return refusal;
    const records = encoded(session, expected, request);
    const message = await writer.write(
      session,
      {
        kind: 'append',
        after: tail.last,
        head: headAfter(tail.head, request, records),
        ...contentOf(request, records),
      },
      id,
    );
    if (message === undefined) {
      // Somebody else wrote: the log tells who.
      const newest = await writer.newest(session);
      if (newest !== undefined && newest.seq < tail.last) return lost(parts, request, newest);
      writer.letGo(session);
      const { stream, subject } = layout.logOf(session);
      const next = await client.next(`Reading session ${session}`, stream, subject, tail.last + 1);
      if (next?.id === id) continue;
      if (newest === undefined) return lostOrConflict(request, follows.at);
      return late(parts, request, id, newest);
    }
    return appended(parts, session, tail, message);
  }
}

async function appended(
  parts: AppendParts,
  session: SessionId,
  tail: Tail,
  message: LogMessage,
): Promise<AppendAnswer> {
  const { writer } = parts;
  const listed = await writer.listedWith(tail, message);
  writer.hold(session, { last: message.seq, at: message.seq, head: message.head, listed });
  return answerFor(message);
}

function answerFor({ seq, id, head }: LogMessage): AppendAnswer {
  return { type: 'appended', seq: head.seq, position: opaque({ at: seq, append: id, epoch: head.epoch }) };
}

/** The position isn't the newest one: a repeat, or another writer. */
async function late(
  parts: AppendParts,
  request: AppendRequest,
  id: string,
  newest: LogMessage,
): Promise<AppendAnswer> {
  const { session } = request;
  const { at, epoch } = logPositionOf(request.position);
  const head = newest.head;
  const { stream, subject } = parts.layout.logOf(session);
  const doing = `Reading session ${session}`;
  for await (const one of parts.client.walk(doing, stream, subject, at + 1, newest.seq)) {
    const message = logMessageOf(one);
    if (message.id === id) return answerFor(message);
    if (message.kind !== 'cleaned') break;
  }
  if (head.epoch !== epoch) return fenced(head.epoch);
  if (newest.seq < at) return lost(parts, request, newest);
  return { type: 'conflict', seq: head.seq };
}

/** The servers lost what they had acknowledged: nothing may follow it. */
async function lost(parts: AppendParts, request: AppendRequest, newest: LogMessage): Promise<AppendAnswer> {
  const { session, expected } = request;
  const { head } = newest;
  if (head.owner !== null && head.owner !== parts.self().id) return fenced(head.epoch);
  const damage = { seq: head.seq + 1, reason: lostReason(head.seq + 1, expected) };
  await parts.writer.noteDamage(session, damage);
  return { type: 'damaged', damage: { session, ...damage } };
}

function lostOrConflict({ session, expected }: AppendRequest, at: number): AppendAnswer {
  if (at === 0) return { type: 'conflict', seq: 0 };
  return { type: 'damaged', damage: { session, seq: 1, reason: lostReason(1, expected) } };
}

function lostReason(from: number, to: number): string {
  if (from > to) return 'the servers lost the newest commits of this session';
  const events = from === to ? `event ${from}` : `events ${from} to ${to}`;
  return `the servers lost ${events}, which they had acknowledged`;
}

function fenced(epoch: number): AppendAnswer {
  return { type: 'fenced', epoch };
}

async function refuse(parts: AppendParts, request: AppendRequest, tail: Tail): Promise<AppendAnswer | undefined> {
  const { session, expected } = request;
  const damage = await confirmedDamage(parts, session, tail.listed);
  if (damage !== undefined) return { type: 'damaged', damage: { session, ...damage } };
  if (expected !== tail.head.seq) return { type: 'conflict', seq: tail.head.seq };
  return (
    (await originMissing(parts, request)) ??
    (await repeatedKey(parts, request)) ??
    (await withoutBlobs(parts, request)) ??
    (await parts.creations.take(request))
  );
}

/** Another process may have repaired it. */
async function confirmedDamage(
  { writer, directory }: AppendParts,
  session: SessionId,
  { listed }: ListedAt,
): Promise<Pick<Damage, 'seq' | 'reason'> | undefined> {
  if (listed.damage === undefined) return undefined;
  const entry = await directory.read(session);
  if (entry?.listed.damage !== undefined) return entry.listed.damage;
  await writer.noteDamage(session, undefined);
  return undefined;
}

async function originMissing(
  { writer }: AppendParts,
  { refersTo = [] }: AppendRequest,
): Promise<AppendAnswer | undefined> {
  for (const session of refersTo) {
    const head = headOf(await writer.newest(session));
    if (head === undefined || head.removing === true) return { type: 'origin-missing', session };
  }
  return undefined;
}

async function repeatedKey({ writer }: AppendParts, request: AppendRequest): Promise<AppendAnswer | undefined> {
  const { session, expected, records } = request;
  const keys = records.flatMap(({ key }) => key?.key ?? []);
  if (keys.length === 0) return undefined;
  const receipts = new Map(
    await Promise.all(keys.map(async (key) => [key, await writer.keyed(session, key)] as const)),
  );
  let seq = expected + 1;
  const placed = records.map(({ key, events }) => {
    const first = seq;
    seq += events.length;
    return { first, key: key?.key, digest: key?.digest };
  });
  return findRepeatedKey(placed, (key) => receipts.get(key));
}

async function withoutBlobs({ blobRows }: AppendParts, request: AppendRequest): Promise<AppendAnswer | undefined> {
  const named = [...new Set(request.records.flatMap(({ events }) => events.flatMap(blobsNamedIn)))];
  if (named.length === 0) return undefined;
  const hashes = await blobRows.refer(named, request.session, request.lost ?? []);
  return hashes.length === 0 ? undefined : { type: 'blob-missing', hashes: hashes satisfies readonly BlobHash[] };
}

function encoded(session: SessionId, expected: number, { records }: AppendRequest): readonly LogRecord[] {
  let next = expected + 1;
  return records.map(({ key, ...record }) => {
    const { first, last, checksum, body } = encodeRecord(session, next, record);
    next = last + 1;
    return key === undefined ? [first, last, checksum, body] : [first, last, checksum, body, key.key, key.digest];
  });
}

function contentOf({ projection, settles }: AppendRequest, records: readonly LogRecord[]) {
  return {
    ...(records.length > 0 && { records }),
    ...optional({ shown: projection }),
    ...(settles !== undefined && { settles: settles.map(({ letter, answer }) => [letter, answer] as const) }),
  };
}

function headAfter(head: LogHead, request: AppendRequest, records: readonly LogRecord[]): LogHead {
  const { projection, recovered, leastReader = 1 } = request;
  const { least: _least, ...before } = head;
  return {
    ...before,
    seq: records.at(-1)?.[1] ?? head.seq,
    leastReader: Math.max(head.leastReader, leastReader),
    bytes: records.reduce((sum, [, , , body]) => sum + Buffer.byteLength(body) + recordOverhead, head.bytes),
    ...(recovered === true && { unclean: false }),
    ...(projection?.entry !== undefined && { inFlight: projection.inFlight ?? false }),
    ...(projection?.due !== undefined && { due: projection.due }),
  };
}

/** Undefined if somebody else was first: look again. */
async function create(
  parts: AppendParts,
  request: AppendRequest,
  id: string,
  tombstone: LogMessage | undefined,
): Promise<AppendAnswer | undefined> {
  const { writer, directory, processes, self } = parts;
  const { session } = request;
  if (request.records.length === 0) return { type: 'conflict', seq: 0 };
  // A process that lost its lease creates nothing.
  if (!(await processes.register())) return fenced(0);
  const refusal = (await repeatedKey(parts, request)) ?? (await withoutBlobs(parts, request));
  if (refusal !== undefined) return refusal;
  const taken = await parts.creations.take(request);
  if (taken !== undefined) return taken;
  const records = encoded(session, 0, request);
  const start: LogHead = { ...noHead, epoch: 1, owner: self().id };
  const refersTo = sessionsForkedIn(session, records[0]?.[3] ?? '');
  const before = await directory.read(session);
  const pending = await directory.write(
    {
      session,
      at: tombstone?.seq ?? 0,
      head: start,
      questions: [],
      isPending: true,
      ...(refersTo.length > 0 && { refersTo }),
      ...(request.creation !== undefined && { creation: hash('sha256', request.creation.key, 'base64url') }),
    },
    before?.rev ?? 0,
  );
  // After the reference was written, so that a removal sees it or is seen.
  const missing = await originMissing(parts, request);
  if (missing !== undefined) {
    await parts.creations.giveBack(request);
    return missing;
  }
  const head = headAfter(start, request, records);
  const body = { kind: 'append', after: tombstone?.seq ?? 0, head, ...contentOf(request, records) } as const;
  const message = await writer.write(session, body, id);
  if (message === undefined) {
    await parts.creations.giveBack(request);
    return undefined;
  }
  return appended(parts, session, { last: pending.listed.at, at: 0, head: start, listed: pending }, message);
}
