/**
 * Finds nats-server for the tests: the one on the PATH, or Debian's package, unpacked into `.cache`. Debian 13's is
 * preferred, because Debian 12's can't keep replicas equal. Prints its path, or why there is none.
 */
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

import { unpackPackage } from './unpack-package.ts';

export type FoundNats =
  | { readonly type: 'found'; readonly program: string; readonly version: string }
  | { readonly type: 'none'; readonly reason: string };

/** Of Debian 13, for x64. Its only dependency is a C library that Debian 12 has too. */
const newer = {
  path: 'pool/main/n/nats-server/nats-server_2.10.27-1+b2_amd64.deb',
  sha256: '6d913ac987b78734c08537c2adeb1526cf735f216173a9170d94b185fcfe6f8a',
};

export function findNats(): FoundNats {
  const problems: string[] = [];
  const unpacked = (of?: typeof newer) => unpackPackage('nats-server', 'usr/sbin/nats-server', of);
  for (const find of [() => 'nats-server', () => unpacked(newer), () => unpacked()]) {
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
