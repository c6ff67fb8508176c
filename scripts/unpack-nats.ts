/**
 * Finds nats-server for the tests: the one on the PATH, or the distribution's package, unpacked into `.cache`. Prints
 * its path, or why there is none.
 */
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

import { unpackPackage } from './unpack-package.ts';

export type FoundNats =
  | { readonly type: 'found'; readonly program: string; readonly version: string }
  | { readonly type: 'none'; readonly reason: string };

export function findNats(): FoundNats {
  const problems: string[] = [];
  for (const find of [() => 'nats-server', () => unpackPackage('nats-server', 'usr/sbin/nats-server')]) {
    try {
      const program = find();
      const said = execFileSync(program, ['--version'], { encoding: 'utf8', stdio: 'pipe' });
      return { type: 'found', program, version: /v([\d.]+)/.exec(said)?.[1] ?? '' };
    } catch (error) {
      problems.push((error as Error).message.split('\n').slice(0, 2).join(' '));
    }
  }
  return { type: 'none', reason: problems.join('; ') };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = findNats();
  console.log(found.type === 'found' ? `${found.program} ${found.version}` : `none: ${found.reason}`);
  process.exitCode = found.type === 'found' ? 0 : 1;
}
