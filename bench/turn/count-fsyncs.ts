import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { isFailure, runChild, type ChildFailure } from '../harness/run-child.ts';
import { createScratchFolder } from '../harness/scratch-folder.ts';
import type { RuntimeName } from '../workload/runtimes.ts';
import { startMark, stopMark } from './marked-turns.ts';

const tracer = 'strace';
const turns = 50;

export function canTrace(): boolean {
  return spawnSync(tracer, ['-f', '-o', '/dev/null', 'true']).status === 0;
}

/** How often a turn waits for the disk, counted by its system calls. */
export async function countFsyncs(runtime: RuntimeName): Promise<{ readonly perTurn: number } | ChildFailure> {
  using folder = createScratchFolder();
  const trace = path.join(folder.path, 'trace.txt');
  const under = [tracer, '-f', '-qq', '-e', 'trace=fsync,fdatasync,write', '-o', trace];
  const result = await runChild('marked-turns', { runtime, turns }, { under });
  if (isFailure(result)) return result;
  const lines = readFileSync(trace, 'utf8').split('\n');
  const from = lines.findIndex((line) => line.includes(startMark));
  const to = lines.findIndex((line) => line.includes(stopMark));
  return { perTurn: lines.slice(from, to).filter((line) => /\bf(data)?sync\(/.test(line)).length / turns };
}
