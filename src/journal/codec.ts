/**
 * A stored record is one transition: a line of JSON with a version and a checksum.
 *
 * 1. Events are stored as the text they came in, so nothing is serialized twice.
 * 2. Decoding checks the checksum, the shape and the number of events. A failed check means damage.
 * 3. Older versions are upgraded. Newer versions and unknown event kinds throw a `Fault`, because they aren't
 *    damage.
 */
import { isJsonObject, jsonIn } from '../kernel/json-object.ts';
import type { StoredRecord } from '../ports/stored-record.ts';
import { system, type Actor } from '../kernel/actor.ts';
import type { Event, Recorded } from '../kernel/event.ts';
import { Fault } from '../kernel/fault.ts';
import type { SessionId } from '../kernel/ids.ts';
import { checksumOf } from './checksum.ts';
import type { NewRecord } from '../ports/journal.ts';
import { rondoVersion } from './rondo-version.ts';
import { upcasts as allUpcasts, type StoredEvent, type Upcasts } from './upcast.ts';

export type DecodedRecord =
  | { readonly type: 'decoded'; readonly events: readonly Recorded[] }
  | { readonly type: 'damaged'; readonly reason: string };

export function encodeRecord(session: SessionId, first: number, record: NewRecord): StoredRecord {
  const body = encodeBody(record);
  const last = first + record.events.length - 1;
  return { session, first, last, body, checksum: checksumOf(session, first, body) };
}

function encodeBody({ at, by, events }: Pick<NewRecord, 'at' | 'by' | 'events'>): string {
  // The system's own records are the most frequent, so they store no actor.
  const actor = by.type === system.type && by.name === system.name ? '' : `"by":${JSON.stringify(by)},`;
  return `{"v":${allUpcasts.current},"at":${at},${actor}"e":[${events.join(',')}]}`;
}

export function decodeRecord(record: StoredRecord, upcasts: Upcasts = allUpcasts): DecodedRecord {
  const { session, first, last, body, checksum } = record;
  if (checksumOf(session, first, body) !== checksum) return damaged('its checksum does not match');
  const stored = parseBody(body);
  if (stored === undefined) return damaged('it is not a record');
  if (stored.version > upcasts.current) throw newerVersion(record, stored.version, upcasts.current);
  if (stored.events.length !== last - first + 1) {
    return damaged(`it holds ${stored.events.length} events instead of ${last - first + 1}`);
  }
  const events: Recorded[] = [];
  for (const older of stored.events) {
    const event = upcasts.apply(older, stored.version);
    if (typeof event['type'] !== 'string') return damaged('it holds an event without a type');
    if (!isKnownEvent(event)) throw newerEvent(record, first + events.length, event['type']);
    events.push({ seq: first + events.length, at: stored.at, by: stored.by, event });
  }
  return { type: 'decoded', events };
}

interface StoredBody {
  readonly version: number;
  readonly at: number;
  readonly by: Actor;
  readonly events: readonly StoredEvent[];
}

function parseBody(body: string): StoredBody | undefined {
  const parsed = jsonIn(body);
  if (!isJsonObject(parsed)) return undefined;
  const { v: version, at, by = system, e: events } = parsed;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) return undefined;
  if (typeof at !== 'number' || !isActor(by) || !Array.isArray(events)) return undefined;
  return events.every(isJsonObject) ? { version, at, by, events } : undefined;
}

function isActor(value: unknown): value is Actor {
  return isJsonObject(value) && typeof value['type'] === 'string' && typeof value['name'] === 'string';
}

/** The kernel handles every known event type. The checksum covers the deeper shape. */
function isKnownEvent(event: StoredEvent): event is StoredEvent & Event {
  return typeof event['type'] === 'string' && Object.hasOwn(knownEvents, event['type']);
}

/** Checked by the compiler: a new kernel event must be added here. */
export const knownEvents: Readonly<Record<Event['type'], true>> = {
  'session-created': true,
  'session-forked': true,
  'prompt-received': true,
  'queue-changed': true,
  'turn-started': true,
  'prompt-joined': true,
  'model-call-intended': true,
  'model-settled': true,
  'understanding-intended': true,
  'prompt-understood': true,
  'tool-run-intended': true,
  'job-intended': true,
  'tool-settled': true,
  'call-refused': true,
  'agent-turn-intended': true,
  'agent-reported': true,
  'agent-asked': true,
  'agent-asked-again': true,
  'agent-answered': true,
  'agent-setting-chosen': true,
  'agent-setting-settled': true,
  'agent-turn-settled': true,
  'compaction-intended': true,
  'compaction-settled': true,
  'effect-repeated': true,
  'question-opened': true,
  'question-answered': true,
  'question-closed': true,
  'wait-intended': true,
  'wait-ended': true,
  'turn-interrupted': true,
  'turn-ended': true,
  'agent-changed': true,
  'title-changed': true,
  'mode-changed': true,
  'policy-changed': true,
  'limits-changed': true,
  'worker-reported': true,
  'limit-neared': true,
  'verdict-reached': true,
  'session-recovered': true,
  'files-saved': true,
  'place-moved': true,
  'push-settled': true,
  'calls-described': true,
  'session-imported': true,
  'session-continued': true,
  'session-closed': true,
  rewound: true,
  'checkpoint-taken': true,
  'restore-intended': true,
  'files-restored': true,
  'restore-failed': true,
  custom: true,
};

function damaged(reason: string): DecodedRecord {
  return { type: 'damaged', reason };
}

function newerEvent({ session, first, writtenBy }: StoredRecord, seq: number, type: string): Fault {
  const version = writtenBy?.(first);
  const writer = version === undefined ? 'a newer Rondo' : `Rondo ${version}`;
  return new Fault(
    'unreadable',
    `Can't read session ${session}: its event ${seq} is of the kind "${type}", which this Rondo (${rondoVersion()}) does ` +
      `not know; it was written by ${writer}. Nothing is damaged: upgrade Rondo to open it.`,
  );
}

function newerVersion({ session, first }: StoredRecord, version: number, current: number): Fault {
  return new Fault(
    'unreadable',
    `Can't read session ${session}: its record at ${first} has version ${version} and was written by a newer Rondo; ` +
      `this one reads up to version ${current}. Nothing is damaged: upgrade Rondo to open it.`,
  );
}
