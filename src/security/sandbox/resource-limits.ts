/**
 * Limits on the machine resources of one command (S20): processes, memory, file size, core dumps. In a scope of the
 * user's systemd they apply to all of its processes together, elsewhere to each process through prlimit. Output is
 * limited where it is captured.
 */
import { execFile } from 'node:child_process';
import os from 'node:os';

import { systemProgram } from './system-program.ts';

interface ResourceLimits {
  readonly processes: number;
  readonly memoryBytes: number;
  readonly fileBytes: number;
}

export const defaultResourceLimits: ResourceLimits = {
  /** For one command. prlimit counts all processes of the user, so its limit is higher. */
  processes: 4096,
  memoryBytes: Math.max(2 * 1024 ** 3, Math.floor(os.totalmem() * 0.75)),
  /** `around-session.ts` recognizes a session's processes by this exact number. */
  fileBytes: 16 * 1024 ** 3 + 19,
};

const OF_ONE_USER = 4;

type Limiter = 'systemd' | 'prlimit' | 'none';

let limiter: Promise<Limiter> | undefined;

export async function limited(argv: readonly string[]): Promise<readonly string[]> {
  limiter ??= findLimiter();
  return limitedBy(await limiter, argv, defaultResourceLimits);
}

export function limitedBy(limiter: Limiter, argv: readonly string[], limits: ResourceLimits): readonly string[] {
  const each = [
    systemProgram('prlimit'),
    `--nproc=${limits.processes * OF_ONE_USER}`,
    `--data=${limits.memoryBytes}`,
    `--fsize=${limits.fileBytes}`,
    '--core=0',
    '--',
  ];
  switch (limiter) {
    case 'none':
      return argv;
    case 'prlimit':
      return [...each, ...argv];
    case 'systemd':
      return [
        ...SCOPE,
        '-p',
        `TasksMax=${limits.processes}`,
        '-p',
        `MemoryMax=${limits.memoryBytes}`,
        '--',
        ...each,
        ...argv,
      ];
  }
}

const SCOPE = `${systemProgram('systemd-run')} --user --scope --quiet --collect -p MemorySwapMax=0`.split(' ');

async function findLimiter(): Promise<Limiter> {
  if (process.platform !== 'linux') return 'none';
  if (!(await works(limitedBy('prlimit', ['true'], defaultResourceLimits)))) return 'none';
  return (await works(limitedBy('systemd', ['true'], defaultResourceLimits))) ? 'systemd' : 'prlimit';
}

function works([program = '', ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: 3_000 }, (error) => resolve(error === null));
  });
}
