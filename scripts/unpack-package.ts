/**
 * Downloads a package of the distribution and unpacks it into `.cache` without root and without installing anything.
 * Returns a program of it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export function unpackPackage(name: string, file: string): string {
  const folder = fileURLToPath(new URL(`../.cache/${name}`, import.meta.url));
  const program = path.join(folder, file);
  if (existsSync(program)) return program;
  mkdirSync(path.dirname(folder), { recursive: true });
  // Other test processes may unpack at the same time: each uses its own folder, and one of them is kept.
  const own = mkdtempSync(`${folder}-`);
  try {
    execFileSync('apt-get', ['download', name], { cwd: own, stdio: 'pipe', timeout: 60_000 });
    const [found = ''] = globSync('*.deb', { cwd: own });
    execFileSync('dpkg-deb', ['-x', path.join(own, found), path.join(own, 'x')], { stdio: 'pipe' });
    if (!existsSync(program)) renameSync(path.join(own, 'x'), folder);
  } catch (error) {
    if (!existsSync(program)) throw error;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  return program;
}
