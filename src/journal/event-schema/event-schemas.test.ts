import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import type { Event, Recorded } from '../../kernel/event.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { checksumOf } from '../checksum.ts';
import { decodeRecord, knownEvents } from '../codec.ts';
import { type StoredRecord } from '../../ports/stored-record.ts';
import { loadEventCheck } from './check-event.ts';
import { eventSchemas } from './event-schemas.ts';

/**
 * Normalizes a type for an assignability check: drops `readonly`, flattens intersections, and treats an optional
 * field as one with an extra value.
 */
type Plain<Value> = Value extends string | number | boolean | undefined | null
  ? Value
  : Value extends readonly (infer Item)[]
    ? Plain<Item>[]
    : Value extends object
      ? {
          -readonly [Key in keyof Value]-?: object extends Pick<Value, Key>
            ? ['may be absent', Plain<Value[Key]>]
            : Plain<Value[Key]>;
        }
      : Value;

type IsSame<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

type SameFields = {
  readonly [Type in Event['type']]: IsSame<
    Plain<Extract<Event, { type: Type }>>,
    Plain<z.infer<(typeof eventSchemas)[Type]>>
  >;
};

const folder = path.resolve(import.meta.dirname, '../../../test/golden');
const goldenFiles = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));

describe('the schemas of events', () => {
  test('have the types of the kernel, field by field', () => {
    // The compiler names events that differ.
    const same: SameFields = knownEvents;
    expect(Object.keys(eventSchemas)).toEqual(Object.keys(same));
  });

  test.each(goldenFiles)('[P11] take every event of %s', async (file) => {
    const checkEvent = await loadEventCheck();
    const events = goldenRecords(file).flatMap(eventsIn);
    expect(events.map(checkEvent).filter((problem) => problem !== undefined)).toEqual([]);
    expect(events.length).toBeGreaterThan(5);
  });

  test('can be published as JSON Schema, one document', () => {
    const { $defs, anyOf } = z.toJSONSchema(z.union(Object.values(eventSchemas)), { io: 'input' });
    expect(anyOf?.length).toBe(Object.keys(knownEvents).length);
    expect(Object.keys($defs ?? {})).toEqual(expect.arrayContaining(['Body', 'Call', 'Usage', 'Ending']));
  });

  test('say what is wrong with an event, and where', async () => {
    const checkEvent = await loadEventCheck();
    const problemOf = (event: object, cause: object = {}) =>
      checkEvent({ seq: 9, at: 1, by: { type: 'person', name: 'ada' }, ...cause, event } as Recorded)?.replace(
        /^its event 9 \(.*?\) is not as Rondo writes it: /,
        '',
      );
    const deep = JSON.parse(`${'['.repeat(2000)}${']'.repeat(2000)}`) as unknown;
    const result = (given: unknown) => ({ type: 'tool-settled', call: 'c1', result: given });
    expect([
      problemOf({ type: 'turn-started', prompt: 2, ofALaterRondo: true }),
      problemOf({ type: 'turn-started' }),
      problemOf({ type: 'turn-started', prompt: '2' }),
      problemOf({ type: 'turn-started', prompt: 0.5 }),
      problemOf({ type: 'turn-started', prompt: -1 }),
      problemOf({ type: 'wait-ended', effect: 'nothing' }),
      problemOf(result({ type: 'success', output: null })),
      problemOf(result({ type: 'splendid', output: '' })),
      problemOf(result({ type: 'success', output: { blob: '../../x', length: 1, preview: '' } })),
      problemOf({ type: 'custom', name: 'own', data: deep }),
      problemOf({ type: 'turn-started', prompt: 2 }, { by: { type: 'ghost', name: 'x' } }),
      problemOf({ type: 'turn-started', prompt: 2 }, { at: 1e99 }),
    ]).toEqual([
      undefined,
      'its field prompt is missing',
      'its field prompt is not of type number',
      'its field prompt is not of type int',
      'its field prompt is less than 0',
      'its field effect must be the id of an effect: <session>.<event>',
      'its field result.output must be a text, or a blob with its length and preview',
      'its field result.type is of a kind that is not known here',
      'its field result.output.blob must be the SHA-256 of a blob in hexadecimal',
      'it is nested more than 1000 deep',
      'its field by.type is none of person, program, agent, worker, system',
      'its field at is more than 8640000000000000',
    ]);
  });
});

/** Both formats: whole stored records, or a head followed by bodies. */
function goldenRecords(file: string): readonly StoredRecord[] {
  const lines = readFileSync(path.join(folder, file), 'utf8').split('\n').filter(Boolean);
  const [head, ...bodies] = lines.map((line) => JSON.parse(line) as StoredRecord & { e: readonly unknown[] });
  if (head === undefined || 'body' in head) return lines.map((line) => JSON.parse(line) as StoredRecord);
  const { session } = head as { readonly session: SessionId };
  let last = 0;
  return bodies.map(({ e }, index) => {
    const first = last + 1;
    last += e.length;
    const body = lines[index + 1] ?? '';
    return { session, first, last, body, checksum: checksumOf(session, first, body) };
  });
}

function eventsIn(record: StoredRecord): readonly Recorded[] {
  const decoded = decodeRecord(record);
  if (decoded.type === 'damaged') throw new Error(`The record at ${record.first} is damaged: ${decoded.reason}`);
  return decoded.events;
}
