import { summaryOf, type Summary } from '../harness/statistics.ts';

export interface Counting {
  readonly isTimed: boolean;
  /** Further marks are ignored, because streamed text is sent again when it settles. */
  readonly most?: number;
}

export interface Counted {
  readonly count: number;
  /** Since the last mark that counted. */
  readonly agoMs: number;
  readonly latency?: Summary;
}

interface MarkCounter {
  reset(counting: Counting): void;
  /** `made`: the digits of the mark, read only if needed. */
  add(made: () => string): void;
  /** Resolves once this many have arrived, or after a minute. */
  report(expected: number): Promise<Counted>;
}

export function createMarkCounter(): MarkCounter {
  let counting: Counting = { isTimed: false };
  let count = 0;
  let last = 0;
  let latencies: number[] = [];
  return {
    reset(next) {
      counting = next;
      count = 0;
      latencies = [];
    },
    add(made) {
      if (count === counting.most) return;
      count += 1;
      last = performance.now();
      if (counting.isTimed) latencies.push(Number(process.hrtime.bigint() - BigInt(made())) / 1e6);
    },
    async report(expected) {
      const deadline = performance.now() + 60_000;
      while (count < expected && performance.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 5));
      const agoMs = performance.now() - last;
      return { count, agoMs, ...(counting.isTimed && { latency: summaryOf(latencies) }) };
    },
  };
}
