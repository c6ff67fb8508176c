/** Runs tests with one mutant on, in a process that is replaced if a mutant hangs it. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import type { HostAnswer, HostRun } from './mutant-host.ts';

export interface MutantRuns {
  readonly run: (asked: HostRun, limitMs: number) => Promise<HostAnswer | 'hung'>;
  readonly close: () => void;
}

export function mutantRuns(tree: string): MutantRuns {
  let host: ChildProcess | undefined;

  async function started(): Promise<ChildProcess> {
    if (host?.connected === true) return host;
    // A separate process group: processes that its tests start end with it.
    const child = fork(path.join(import.meta.dirname, 'mutant-host.ts'), [tree], {
      detached: true,
      stdio: 'ignore',
    });
    host = child;
    const [first] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [unknown];
    if (first !== 'ready') throw new Error('vitest did not start for the mutation run.');
    return child;
  }

  function close(): void {
    const pid = host?.pid;
    host = undefined;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  }

  return {
    close,
    async run(asked, limitMs) {
      const child = await started();
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(), limitMs);
      const answer = Promise.race([
        once(child, 'message', { signal: limit.signal }).then(([message]) => message as HostAnswer),
        once(child, 'exit', { signal: limit.signal }).then((): HostAnswer => ({
          passed: false,
          by: 'the process ended',
          in: '',
          failedAfter: 0,
          ms: {},
        })),
      ]).catch(() => 'hung' as const);
      child.send(asked);
      const result = await answer;
      clearTimeout(timer);
      limit.abort();
      if (result === 'hung') close();
      return result;
    },
  };
}
