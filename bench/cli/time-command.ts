import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

import type { Waited } from '../harness/contention.ts';
import type { ChildFailure } from '../harness/run-child.ts';
import { hasPrintedAnswer, hasPrintedFirstToken } from './printed-answer.ts';

export interface Command {
  readonly file: string;
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

export interface CommandTimes extends Waited {
  /** From the start to the first expected word on standard output. */
  readonly firstMs: number;
  readonly exitMs: number;
  /** The largest sum of the peaks of its processes that are alive at the same time. */
  readonly rssMb: number;
}

const patienceMs = 60_000;

/** Runs a program and times it from outside. It must succeed in time and print the expected text. */
export async function timeCommand(
  { file, words, env, cwd }: Command,
  prints: string,
): Promise<CommandTimes | ChildFailure> {
  const started = performance.now();
  // In its own process group, so that its children end with it.
  const child = spawn(file, words, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let out = '';
  let errors = '';
  let firstMs = Number.NaN;
  let rssMb = Number.NaN;
  let waitedShare: CommandTimes['waitedShare'] = null;
  const look = () => {
    const seen = lookAt(child.pid ?? 0);
    if (seen === undefined) return;
    rssMb = Number.isNaN(rssMb) ? seen.rssMb : Math.max(rssMb, seen.rssMb);
    ({ waitedShare } = seen);
  };
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    if (Number.isNaN(firstMs) && hasPrintedFirstToken(out, prints)) firstMs = performance.now() - started;
    look();
  });
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const timer = setInterval(look, 20);
  const limit = setTimeout(() => killGroup(child.pid), patienceMs);
  const code = await new Promise<number | string | null>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (status, signal) => resolve(status ?? signal));
  });
  const exitMs = performance.now() - started;
  clearInterval(timer);
  clearTimeout(limit);
  killGroup(child.pid);
  const output = errors.trim().slice(-400);
  if (exitMs >= patienceMs) return { failure: `had not ended after ${patienceMs / 1000} s: ${output}` };
  if (code !== 0 || !hasPrintedAnswer(out, prints))
    return { failure: `ended with ${code} and printed ${JSON.stringify(out.slice(-200))}: ${output}` };
  return { firstMs, exitMs, rssMb, waitedShare };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // No process is left.
  }
}

/** What Linux reports about a running process and its children; empty on other systems. */
function lookAt(pid: number): Pick<CommandTimes, 'rssMb' | 'waitedShare'> | undefined {
  try {
    const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number);
    const rssMb = peakOf(pid);
    return rssMb === undefined ? undefined : { rssMb, waitedShare: waited / (ran + waited) };
  } catch {
    return undefined;
  }
}

function peakOf(pid: number): number | undefined {
  try {
    const peak = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    if (peak === undefined) return undefined;
    return childrenOf(pid).reduce((sum, child) => sum + (peakOf(child) ?? 0), Number(peak) / 1024);
  } catch {
    return undefined;
  }
}

/** Empty if the kernel doesn't list them. */
function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}
