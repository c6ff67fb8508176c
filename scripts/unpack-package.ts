/**
 * Downloads a package of the distribution and unpacks it into `.cache` without root and without installing anything.
 * Returns a program of it.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A package of a newer distribution, which the same mirror has. */
export interface PoolPackage {
  /** Below the mirror. */
  readonly path: string;
  readonly sha256: string;
}

export function unpackPackage(name: string, file: string, newer?: PoolPackage): string {
  const version = newer === undefined ? '' : `-${path.basename(newer.path).split('_')[1]}`;
  const folder = fileURLToPath(new URL(`../.cache/${name}${version}`, import.meta.url));
  const program = path.join(folder, file);
  if (existsSync(program)) return program;
  mkdirSync(path.dirname(folder), { recursive: true });
  // Other test processes may unpack at the same time: each uses its own folder, and one of them is kept.
  const own = mkdtempSync(`${folder}-`);
  try {
    if (newer === undefined)
      execFileSync('apt-get', ['download', name], { cwd: own, stdio: 'pipe', timeout: 60_000 });
    else downloadFromPool(own, newer);
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

/** With apt's own downloader, so that its mirror and proxy apply. */
function downloadFromPool(folder: string, { path: file, sha256 }: PoolPackage): void {
  const targets = execFileSync('apt-get', ['indextargets', '--format', '$(SITE)'], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
  const mirror = targets.split('\n').find((site) => /\/debian\/?$/.test(site));
  if (mirror === undefined) throw new Error('This machine has no mirror of Debian.');
  const address = `${mirror.replace(/\/$/, '')}/${file}`;
  const target = path.join(folder, 'package.deb');
  execFileSync('/usr/lib/apt/apt-helper', ['download-file', address, target], { stdio: 'pipe', timeout: 60_000 });
  const found = createHash('sha256').update(readFileSync(target)).digest('hex');
  if (found !== sha256) throw new Error(`${address} has another checksum: ${found}.`);
}
