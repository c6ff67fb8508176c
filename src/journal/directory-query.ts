/** The session list's query in SQL, for every store that speaks it. */
import { optional } from '../kernel/optional.ts';
import type { DirectoryQuery, DirectoryText } from '../ports/journal.ts';
import type { DirectoryEntry } from '../views/directory.ts';
import { cursorAfter, placeOf, wordsIn, type DirectoryPlace } from './directory.ts';

export interface DirectoryDialect {
  /** The nth parameter, from 0. */
  readonly parameter: (index: number) => string;
  /** The position of one text in another, from 1. */
  readonly position: 'instr' | 'strpos';
  /** Rows after a place, in the list's order. `add` returns the parameter. */
  readonly after: (place: DirectoryPlace, add: (value: string | number) => string) => string;
}

interface DirectoryConditions {
  /** Empty, or `WHERE …`. */
  readonly where: string;
  readonly values: readonly (string | number)[];
}

export function directoryConditions(
  { cursor, prefix, q, ...equal }: Omit<DirectoryQuery, 'limit'>,
  { parameter, position, after }: DirectoryDialect,
): DirectoryConditions {
  const tests: string[] = [];
  const values: (string | number)[] = [];
  const add = (value: string | number) => parameter(values.push(value) - 1);
  for (const column of ['state', 'agent', 'parent', 'origin'] as const) {
    const value = equal[column];
    if (value !== undefined) tests.push(`${column} = ${add(value)}`);
  }
  if (prefix !== undefined) tests.push(`id >= ${add(prefix)} AND id < ${add(`${prefix}\u{10ffff}`)}`);
  for (const word of wordsIn(q)) tests.push(`${position}(title, ${add(word)}) > 0`);
  const place = placeOf(cursor);
  if (place !== undefined) tests.push(`(${after(place, add)})`);
  return { where: tests.length === 0 ? '' : `WHERE ${tests.join(' AND ')}`, values };
}

/** `entries` has one more than `limit` if there is another page. */
export function directoryPage(entries: readonly string[], limit: number): DirectoryText {
  const page = entries.slice(0, limit);
  const last = entries.length > limit ? page.at(-1) : undefined;
  const cursor = last === undefined ? undefined : cursorAfter(JSON.parse(last) as DirectoryEntry);
  return { entries: `[${page.join(',')}]`, ...optional({ cursor }) };
}
