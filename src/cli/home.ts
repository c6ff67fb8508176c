import { statfsSync, statSync } from 'node:fs';
import path from 'node:path';

import { rondoHome } from '../security/paths/private-places.ts';
import { configurationError } from './usage-error.ts';

/** Where a user's sessions, configuration and tokens live. A place where no folder can be is told at once. */
export function homeFolder(): string {
  const home = rondoHome();
  if ((process.env['RONDO_HOME'] ?? '') === '') return home;
  const problem = problemWith(home);
  if (problem === undefined) return home;
  throw configurationError(`RONDO_HOME is ${home}: ${problem}; set it to a folder that you can write to`);
}

/** Kernel file systems take no folders; making one there in one go can wait for ever. */
const kernelFileSystems: ReadonlySet<number> = new Set([0x9fa0, 0x62656572, 0x64626720, 0x74726163]);

function problemWith(home: string): string | undefined {
  for (let at = home; ; at = path.dirname(at)) {
    const found = statSync(at, { throwIfNoEntry: false });
    if (found === undefined && path.dirname(at) !== at) continue;
    if (found?.isDirectory() !== true) return `${at} isn't a folder`;
    if (process.platform !== 'linux' || !kernelFileSystems.has(statfsSync(at).type)) return undefined;
    return `${at} belongs to the kernel and can't hold files`;
  }
}
