/** Reproducible randomness: the same seed gives the same choices on every machine. */
export interface SeededRandom {
  /** A whole number from 0 up to, not including, `below`. */
  whole(below: number): number;
  chance(probability: number): boolean;
  pick<Value>(list: readonly Value[]): Value;
  /** One of the keys, chosen in proportion to its weight. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
}

export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  // mulberry32: small, fast, and good enough for choosing actions.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    whole: (below) => Math.floor(next() * below),
    chance: (probability) => next() < probability,
    pick(list) {
      const picked = list[Math.floor(next() * list.length)];
      if (picked === undefined) throw new RangeError('There is nothing to pick from.');
      return picked;
    },
    weighted(weights) {
      const entries = Object.entries<number>(weights) as [keyof typeof weights, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        left -= weight;
        if (left < 0) return name;
      }
      throw new RangeError('There is nothing to pick from.');
    },
  };
}
