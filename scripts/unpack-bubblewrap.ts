/**
 * Finds bubblewrap for the sandbox tests: the one on the PATH, or the distribution's package, downloaded and
 * unpacked into `.cache/bubblewrap` without root and without installing anything. Prints its path, or why there is
 * none.
 */
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

import { unpackPackage } from './unpack-package.ts';

type FoundBubblewrap =
  | { readonly type: 'found'; readonly program: string }
  | { readonly type: 'none'; readonly reason: string };

export function findBubblewrap(): FoundBubblewrap {
  if (process.platform !== 'linux')
    return { type: 'none', reason: `bubblewrap needs Linux, this is ${process.platform}` };
  const problems: string[] = [];
  for (const find of [() => 'bwrap', () => unpackPackage('bubblewrap', 'usr/bin/bwrap')]) {
    try {
      const program = find();
      execFileSync(program, ['--unshare-user', '--disable-userns', '--ro-bind', '/', '/', 'true'], {
        stdio: 'pipe',
      });
      return { type: 'found', program };
    } catch (error) {
      problems.push((error as Error).message.split('\n').slice(0, 2).join(' '));
    }
  }
  return { type: 'none', reason: problems.join('; ') };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = findBubblewrap();
  console.log(found.type === 'found' ? found.program : `none: ${found.reason}`);
  process.exitCode = found.type === 'found' ? 0 : 1;
}
