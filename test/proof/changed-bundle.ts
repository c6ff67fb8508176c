/**
 * Bundles edited by someone who knows the format: the hashes are recomputed, and most edits keep the right type, so
 * that the meaning of events is wrong and not their shape.
 */
import * as fc from 'fast-check';

import type { StoredRecord } from '../../src/ports/stored-record.ts';
import { createChain, hashLength } from '../../src/journal/bundle/bundle-line.ts';
import { bentValue } from './bad-values.ts';

type Line = Readonly<Record<string, unknown>>;

/** A bundle's lines, with the records' bodies as values. */
function linesOfBundle(bundle: string): readonly Line[] {
  return bundle
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line.slice(hashLength + 1)) as Line)
    .map(({ body, ...line }) => ({
      ...line,
      ...(typeof body === 'string' && { body: JSON.parse(body) as unknown }),
    }));
}

/** Anyone who changes a bundle can seal it again: its hashes aren't a signature. */
function sealed(lines: unknown): string {
  const link = createChain();
  return (Array.isArray(lines) ? lines : [lines])
    .map((line: unknown) =>
      typeof line === 'object' && line !== null && 'body' in line
        ? JSON.stringify({ ...line, body: JSON.stringify(line.body) })
        : JSON.stringify(line),
    )
    .map((json) => `${link(json)} ${json}\n`)
    .join('');
}

export function resealed(bundle: string): fc.Arbitrary<string> {
  return bentValue([linesOfBundle(bundle)]).map(sealed);
}

/** The main session first, then those it refers to. */
export function bundleOfRecords(journals: readonly (readonly StoredRecord[])[]): string {
  const [main] = journals;
  const head = main?.at(-1)?.last ?? 0;
  const records = journals.reduce((sum, { length }) => sum + length, 0);
  return sealed([
    { type: 'bundle', format: 1, rondo: '0.1.0', session: main?.[0]?.session, head, at: 1 },
    ...journals.flatMap((journal, index) => [
      {
        type: 'session',
        session: journal[0]?.session,
        head: journal.at(-1)?.last,
        role: index === 0 ? 'main' : 'shared',
      },
      ...journal.map(({ session, first, last, body }) => ({
        type: 'record',
        session,
        first,
        last,
        body: JSON.parse(body) as unknown,
      })),
    ]),
    { type: 'end', records, blobs: 0, redacted: 0, missing: [], leftOut: [] },
  ]);
}

interface Place {
  readonly around: Record<string, unknown>;
  readonly key: string;
}

/** Replaces a value of an event by another of the same name or type, or removes, doubles or swaps it. */
export type Rewriting = readonly [at: number, other: number, how: 'put' | 'drop' | 'double' | 'exchange'];

export const rewritings: fc.Arbitrary<readonly Rewriting[]> = fc.array(
  fc.tuple(fc.nat(), fc.nat(), fc.constantFrom('put', 'put', 'put', 'drop', 'double', 'exchange')),
  { minLength: 1, maxLength: 2 },
);

export function rewritten(bundle: string, changes: readonly Rewriting[]): string {
  const changed = structuredClone(linesOfBundle(bundle));
  for (const change of changes) rewrite(placesIn(changed), change);
  return sealed(changed);
}

function rewrite(places: readonly Place[], [at, other, how]: Rewriting): void {
  const place = places[at % Math.max(1, places.length)];
  if (place === undefined) return;
  const { around, key } = place;
  const value = around[key];
  const isAlike = (each: Place) =>
    typeof each.around[each.key] === typeof value && (each.key === key || typeof value === 'number');
  const alike = places.filter(isAlike);
  const from = alike[other % Math.max(1, alike.length)];
  if (from === undefined) return;
  if (how === 'drop' && Array.isArray(around)) around.splice(Number(key), 1);
  else if (how === 'drop') Reflect.deleteProperty(around, key);
  else if (how === 'double' && Array.isArray(around)) around.splice(Number(key), 0, structuredClone(value));
  else {
    const given = structuredClone(from.around[from.key]);
    if (how === 'exchange') from.around[from.key] = structuredClone(value);
    around[key] = given;
  }
}

/** Everything inside the records' events. */
function placesIn(lines: readonly Line[]): readonly Place[] {
  const places: Place[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, child] of Object.entries(node)) {
      places.push({ around: node as Record<string, unknown>, key });
      walk(child);
    }
  };
  for (const { body } of lines) walk(body);
  return places;
}
