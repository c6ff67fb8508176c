/**
 * The server's capacity limits. A refusal names the limit and what to do. Existing connections and sessions
 * continue.
 */
import { getHeapStatistics } from 'node:v8';

import type { ClientError } from '../protocol/error-code.ts';
import { sizeText } from '../wording/size.ts';

export interface Capacity {
  /** Why the server refuses another connection. */
  forConnection(open: number): ClientError | undefined;
  /** Why the server refuses another session. The sessions themselves limit how many are live. */
  forSession(): ClientError | undefined;
}

interface CapacityLimits {
  readonly connections?: number;
  /** Heap size in bytes above which the server admits nothing new. Default: 90% of Node's heap limit. */
  readonly memory?: number;
}

export function createCapacity(
  { connections = 10_000, memory = getHeapStatistics().heap_size_limit * 0.9 }: CapacityLimits,
  used: () => number = () => getHeapStatistics().used_heap_size,
): Capacity {
  function memoryProblem(): ClientError | undefined {
    const now = used();
    if (now < memory) return undefined;
    const message = `This server uses ${sizeText(now)} of its memory limit of ${sizeText(memory)}. End finished sessions, or retry later.`;
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
