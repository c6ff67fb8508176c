import type { Value } from './program.ts';

/** The tuples of one predicate in the order they were found, each once, with an index by column made when asked for. */
export interface Relation {
  readonly tuples: readonly (readonly Value[])[];
  /** False where it is already there. */
  add(tuple: readonly Value[]): boolean;
  has(tuple: readonly Value[]): boolean;
  /** Places of tuples with this value in this column, ascending. */
  places(column: number, value: Value): readonly number[];
}

/** `start` holds each tuple once. */
export function createRelation(start: readonly (readonly Value[])[] = []): Relation {
  const tuples = [...start];
  let keys: Set<string> | undefined;
  const known = (): Set<string> => (keys ??= new Set(tuples.map(keyOf)));
  const indexes = new Map<number, Map<Value, number[]>>();

  const enter = (index: Map<Value, number[]>, column: number, place: number): void => {
    const value = tuples[place]?.[column];
    if (value === undefined) return;
    const places = index.get(value);
    if (places === undefined) index.set(value, [place]);
    else places.push(place);
  };
  return {
    tuples,
    add(tuple) {
      const key = keyOf(tuple);
      if (known().has(key)) return false;
      known().add(key);
      tuples.push(tuple);
      for (const [column, index] of indexes) enter(index, column, tuples.length - 1);
      return true;
    },
    has: (tuple) => known().has(keyOf(tuple)),
    places(column, value) {
      let index = indexes.get(column);
      if (index === undefined) {
        index = new Map();
        indexes.set(column, index);
        for (const place of tuples.keys()) enter(index, column, place);
      }
      return index.get(value) ?? none;
    },
  };
}

const none: readonly number[] = [];

/** Numbers are marked, so that 1 and a name that prints as 1 stay apart. */
export function keyOf(tuple: readonly Value[]): string {
  let key = '';
  for (const value of tuple) key += typeof value === 'number' ? `${value}\u0001` : `${value}\u0000`;
  return key;
}
