/** Runs of tests with one mutant awake, in a process that is replaced where a mutant hangs it. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import type { HostAnswer, HostRun } from './mutant-host.ts';

export type RunResult =
  | { readonly type: 'passed'; readonly ms: number }
  | { readonly type: 'failed'; readonly by: string; readonly ms: number }
  | { readonly type: 'hung'; readonly ms: number };

export interface MutantRuns {
  readonly run: (asked: HostRun, limitMs: number) => Promise<RunResult>;
  readonly close: () => void;
}

export function mutantRuns(tree: string): MutantRuns {
  let host: ChildProcess | undefined;

  async function started(): Promise<ChildProcess> {
    if (host?.connected === true) return host;
    // Its own process group: what its tests start ends with it.
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
      // It has ended by itself.
    }
  }

  return {
    close,
    async run(asked, limitMs) {
      const child = await started();
      const start = performance.now();
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(), limitMs);
      const answer = Promise.race([
        once(child, 'message', { signal: limit.signal }).then(([message]) => message as HostAnswer),
        once(child, 'exit', { signal: limit.signal }).then((): HostAnswer => ({
          passed: false,
          by: 'the process ended',
        })),
      ]).catch(() => 'hung' as const);
      child.send(asked);
      const result = await answer;
      clearTimeout(timer);
      limit.abort();
      const ms = Math.round(performance.now() - start);
      if (result !== 'hung') return result.passed ? { type: 'passed', ms } : { type: 'failed', by: result.by, ms };
      close();
      return { type: 'hung', ms };
    },
  };
}
