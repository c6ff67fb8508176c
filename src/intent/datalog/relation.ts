import type { Value } from './program.ts';

/** The unique tuples of one predicate in insertion order. Column indexes are built on demand. */
export interface Relation {
  readonly tuples: readonly (readonly Value[])[];
  /** False if the tuple already exists. */
  add(tuple: readonly Value[]): boolean;
  has(tuple: readonly Value[]): boolean;
  /** Positions of tuples with this value in this column, ascending. */
  places(column: number, value: Value): readonly number[];
}

/** `start` must not contain duplicates. */
export function createRelation(start: readonly (readonly Value[])[] = []): Relation {
  const tuples = [...start];
  let keys: Set<string> | undefined;
  const keySet = (): Set<string> => (keys ??= new Set(tuples.map(tupleKey)));
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
      const key = tupleKey(tuple);
      if (keySet().has(key)) return false;
      keySet().add(key);
      tuples.push(tuple);
      for (const [column, index] of indexes) enter(index, column, tuples.length - 1);
      return true;
    },
    has: (tuple) => keySet().has(tupleKey(tuple)),
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

/** Numbers are marked, so that 1 and a name that prints as 1 stay distinct. */
export function tupleKey(tuple: readonly Value[]): string {
  let key = '';
  for (const value of tuple) key += typeof value === 'number' ? `${value}\u0001` : `${value}\u0000`;
  return key;
}
