/**
 * Finds bubblewrap for the sandbox tests: the one on the PATH, or the distribution's package, downloaded and
 * unpacked into `.cache/bubblewrap` without root and without installing anything. Prints its path, or why there is
 * none.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export type FoundBubblewrap =
  | { readonly type: 'found'; readonly program: string }
  | { readonly type: 'none'; readonly reason: string };

export function findBubblewrap(): FoundBubblewrap {
  if (process.platform !== 'linux')
    return { type: 'none', reason: `bubblewrap needs Linux, this is ${process.platform}` };
  const problems: string[] = [];
  for (const find of [() => 'bwrap', unpacked]) {
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

function unpacked(): string {
  const folder = fileURLToPath(new URL('../.cache/bubblewrap', import.meta.url));
  const program = path.join(folder, 'usr', 'bin', 'bwrap');
  if (existsSync(program)) return program;
  mkdirSync(path.dirname(folder), { recursive: true });
  // Other test processes may unpack at the same time: each uses its own folder, and one of them is kept.
  const own = mkdtempSync(`${folder}-`);
  try {
    execFileSync('apt-get', ['download', 'bubblewrap'], { cwd: own, stdio: 'pipe', timeout: 60_000 });
    const [file = ''] = globSync('*.deb', { cwd: own });
    execFileSync('dpkg-deb', ['-x', path.join(own, file), path.join(own, 'x')], { stdio: 'pipe' });
    if (!existsSync(program)) renameSync(path.join(own, 'x'), folder);
  } catch (error) {
    if (!existsSync(program)) throw error;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  return program;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = findBubblewrap();
  console.log(found.type === 'found' ? found.program : `none: ${found.reason}`);
  process.exitCode = found.type === 'found' ? 0 : 1;
}
