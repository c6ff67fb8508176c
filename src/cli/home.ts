import { statfsSync, statSync } from 'node:fs';
import path from 'node:path';

import { rondoHome } from '../security/paths/private-places.ts';
import { configurationError } from './usage-error.ts';

/** The folder of a user's sessions, configuration and tokens. Fails at once for a path where no folder can exist. */
export function homeFolder(): string {
  const home = rondoHome();
  if ((process.env['RONDO_HOME'] ?? '') === '') return home;
  const problem = problemWith(home);
  if (problem === undefined) return home;
  throw configurationError(`RONDO_HOME is ${home}: ${problem}; set it to a folder that you can write to`);
}

/** Kernel file systems don't support folders. A recursive mkdir there can hang. */
const kernelFileSystems: ReadonlySet<number> = new Set([0x9fa0, 0x62656572, 0x64626720, 0x74726163]);

function problemWith(home: string): string | undefined {
  for (let at = home; ; at = path.dirname(at)) {
    const stats = statSync(at, { throwIfNoEntry: false });
    if (stats === undefined && path.dirname(at) !== at) continue;
    if (stats?.isDirectory() !== true) return `${at} isn't a folder`;
    if (process.platform !== 'linux' || !kernelFileSystems.has(statfsSync(at).type)) return undefined;
    return `${at} belongs to the kernel and can't hold files`;
  }
}
