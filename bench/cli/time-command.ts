import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

import type { Waited } from '../harness/contention.ts';
import type { ChildFailure } from '../harness/run-child.ts';

export interface CommandTimes extends Waited {
  /** From the start to the first character on standard output. */
  readonly firstMs: number;
  readonly exitMs: number;
  /** At its highest. */
  readonly rssMb: number;
}

/** Runs a program and times it from outside. It must end well, having printed what is expected. */
export async function timeCommand(
  words: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly cwd: string; readonly prints: string },
): Promise<CommandTimes | ChildFailure> {
  const { env, cwd, prints } = options;
  const started = performance.now();
  const child = spawn(process.execPath, words, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let errors = '';
  let firstMs = Number.NaN;
  let seen: Omit<CommandTimes, 'firstMs' | 'exitMs'> = { rssMb: Number.NaN, waitedShare: null };
  const look = () => (seen = lookAt(child.pid ?? 0) ?? seen);
  child.stdout.on('data', (chunk: Buffer) => {
    if (out === '') firstMs = performance.now() - started;
    out += chunk.toString();
    look();
  });
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const timer = setInterval(look, 20);
  const code = await new Promise<number | string | null>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (status, signal) => resolve(status ?? signal));
  });
  const exitMs = performance.now() - started;
  clearInterval(timer);
  if (code !== 0 || !out.includes(prints))
    return { failure: `ended with ${code} and printed ${JSON.stringify(out.slice(0, 200))}: ${errors.trim()}` };
  return { firstMs, exitMs, ...seen };
}

/** What Linux tells of a process that still runs; elsewhere nothing. */
function lookAt(pid: number): Pick<CommandTimes, 'rssMb' | 'waitedShare'> | undefined {
  try {
    const peak = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number);
    return peak === undefined ? undefined : { rssMb: Number(peak) / 1024, waitedShare: waited / (ran + waited) };
  } catch {
    return undefined;
  }
}
