/**
 * A session's log: one subject, one message per change. Each message names its predecessor and carries the whole head
 * after it, so the newest message tells everything about a session but its events. A change is written with the
 * sequence it follows; somebody else's message there, a fence included, means that nothing is written (O1).
 */
import type { SessionId } from '../../kernel/ids.ts';
import type { Projection } from '../../ports/journal.ts';
import type { StoredRecord } from '../../ports/stored-record.ts';
import type { NatsMessage } from './nats-message.ts';

export interface LogHead {
  /** The newest event. */
  readonly seq: number;
  readonly epoch: number;
  /** The process that owns it. */
  readonly owner: string | null;
  readonly unclean: boolean;
  readonly fences: number;
  /** Released with work in flight. */
  readonly leftOpen: boolean;
  readonly inFlight: boolean;
  readonly due: number | null;
  readonly leastReader: number;
  /** Of all records. */
  readonly bytes: number;
  /** The message with the newest record; 0 for none. */
  readonly newest: number;
  /** Records from an event on, in messages before a sequence, were set aside. */
  readonly voids?: readonly (readonly [from: number, before: number])[];
  /** It was copied from another store, where it had at least so many events. */
  readonly least?: number;
  /** Somebody is about to remove it. */
  readonly removing?: true;
  /** A tombstone: there is no such session. */
  readonly removed?: true;
}

/** The kinds that a position never names are written beside the owner's appends. */
type LogKind = 'append' | 'fence' | 'release' | 'cleaned' | 'void' | 'removing' | 'removed' | 'copied';

export interface LogBody {
  readonly kind: LogKind;
  /** The previous message of this session. */
  readonly after: number;
  readonly head: LogHead;
  readonly records?: readonly LogRecord[];
  readonly shown?: Projection;
  readonly settles?: readonly (readonly [letter: number, answer: string])[];
  /** The version of Rondo that wrote it. */
  readonly by?: string;
}

export type LogRecord = readonly [
  first: number,
  last: number,
  checksum: number,
  body: string,
  key?: string,
  digest?: string,
];

export interface LogMessage extends LogBody {
  readonly seq: number;
  readonly id: string;
}

export const noHead: LogHead = {
  seq: 0,
  epoch: 0,
  owner: null,
  unclean: false,
  fences: 0,
  leftOpen: false,
  inFlight: false,
  due: null,
  leastReader: 1,
  bytes: 0,
  newest: 0,
};

export function logMessageOf({ seq, id, body }: NatsMessage): LogMessage {
  return atSequence(seq, id, JSON.parse(body.toString()) as LogBody);
}

/** A message can't name its own sequence, so `newest` is set when it is read. */
export function atSequence(seq: number, id: string, body: LogBody): LogMessage {
  const head = body.records === undefined ? body.head : { ...body.head, newest: seq };
  return { ...body, head, seq, id };
}

/** The session's head, unless there is no such session. */
export function headOf(message: LogMessage | undefined): LogHead | undefined {
  return message === undefined || message.head.removed === true ? undefined : message.head;
}

/** As if each record took this much beside its text. */
export const recordOverhead = 40;

export function storedRecordOf(
  session: SessionId,
  [first, last, checksum, body]: LogRecord,
  by: string | undefined,
): StoredRecord {
  return { session, first, last, checksum, body, ...(by !== undefined && { writtenBy: () => by }) };
}

export function isVoid({ voids = [] }: LogHead, seq: number, first: number): boolean {
  return voids.some(([from, before]) => first >= from && seq < before);
}
