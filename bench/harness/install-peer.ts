/**
 * Other programs for comparison, on request (`--peers`). They are never dependencies of this package: npm installs
 * each into a separate folder under `.cache/bench-peers` (or `RONDO_BENCH_CACHE`), which later runs reuse.
 *
 * 1. npm runs on the machine's own Node, never on one from our node_modules.
 * 2. The stamp is written only after npm succeeded; a folder without it is installed again.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import type { ChildFailure } from './run-child.ts';

const root = path.resolve(import.meta.dirname, '../..');
const patienceMs = 300_000;

interface InstalledPeer {
  /** Holds its node_modules. */
  readonly folder: string;
}

export interface PeerPackages {
  /** Each with an exact version, as `npm install` takes it. */
  readonly packages: readonly string[];
  /** Versions of their dependencies that override the requested ones. */
  readonly overrides?: Readonly<Record<string, string>>;
  /** Install scripts compile and download nothing. */
  readonly isInstalledAsPacked?: boolean;
}

/** Name under which later runs find them. */
export function peerFolder(name: string): string {
  return path.join(process.env['RONDO_BENCH_CACHE'] ?? path.join(root, '.cache/bench-peers'), name);
}

export async function installPeer(
  name: string,
  { packages, overrides = {}, isInstalledAsPacked = false }: PeerPackages,
): Promise<InstalledPeer | ChildFailure> {
  const folder = peerFolder(name);
  const stamp = path.join(folder, 'installed');
  const wanted = [...packages, ...Object.entries(overrides).map((pair) => pair.join('@'))].join(' ');
  if (readText(stamp) === wanted) return { folder };
  mkdirSync(folder, { recursive: true });
  rmSync(stamp, { force: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, overrides }));
  const options = ['--prefix', folder, '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  try {
    await promisify(execFile)(
      'npm',
      ['install', ...options, ...(isInstalledAsPacked ? ['--ignore-scripts'] : []), ...packages],
      {
        cwd: folder,
        env: machineEnvironment(),
        timeout: patienceMs,
        killSignal: 'SIGKILL',
      },
    );
  } catch (error) {
    const { stderr = '', message } = error as Error & { readonly stderr?: string };
    return { failure: `npm install ${wanted} failed: ${(stderr.trim() || message).slice(0, 400)}` };
  }
  writeFileSync(stamp, wanted);
  return { folder };
}

/** The entries of `PATH` that aren't inside a node_modules. */
export function machinePath(): string {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return folders.filter((folder) => !folder.split(path.sep).includes('node_modules')).join(path.delimiter);
}

/** Without the variables that an outer npm sets for its scripts. */
function machineEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([key]) =>
      !/^npm_(package|lifecycle|node_execpath|execpath|command|config_(user_agent|local_prefix))/i.test(key),
  );
  return { ...Object.fromEntries(kept), PATH: machinePath() };
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
