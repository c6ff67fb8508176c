/**
 * What this server may hold. Who would be one too many is told which limit it is and what to do; whoever and whatever is
 * in already goes on.
 */
import { getHeapStatistics } from 'node:v8';

import type { ClientError } from '../protocol/error-code.ts';

export interface Capacity {
  /** Why there is no room for one more connection. */
  forConnection(open: number): ClientError | undefined;
  /** Why there is no room for one more session. How many may be live is the sessions' own limit. */
  forSession(): ClientError | undefined;
}

export interface CapacityLimits {
  readonly connections?: number;
  /** Bytes of heap from which on nothing new is taken in. Default: nine tenths of what Node has. */
  readonly memory?: number;
}

const MB = 1024 * 1024;

export function createCapacity(
  { connections = 10_000, memory = getHeapStatistics().heap_size_limit * 0.9 }: CapacityLimits,
  used: () => number = () => getHeapStatistics().used_heap_size,
): Capacity {
  function memoryProblem(): ClientError | undefined {
    const now = used();
    if (now < memory) return undefined;
    const message = `This server uses ${Math.round(now / MB)} MB of its memory limit of ${Math.round(memory / MB)} MB. End finished sessions, or retry later.`;
    return { code: 'LIMIT_REACHED', message };
  }
  return {
    forConnection(open) {
      if (open < connections) return memoryProblem();
      const message = `This server is at its limit of ${connections} connections. Close some, or retry later.`;
      return { code: 'LIMIT_REACHED', message };
    },
    forSession: memoryProblem,
  };
}
