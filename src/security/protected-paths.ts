/**
 * Names in a project that decide what runs on the host (S7, first tier), and how a sandbox keeps them as they are.
 *
 * 1. Each is a mount point of its own, and so is every folder between it and the root: otherwise it could be moved
 *    away and put back as a copy.
 * 2. A missing one can't be protected beforehand; `appeared` finds what a command has put there.
 * 3. A symbolic link can't be protected at all: commands then don't run unasked.
 */
import { lstat } from 'node:fs/promises';
import path from 'node:path';

export const RUNS_ON_HOST: readonly string[] = [
  '.git',
  '.rondo',
  '.vscode',
  '.idea',
  '.envrc',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  '.cargo/config',
  '.cargo/config.toml',
  '.mcp.json',
  'rondo.json',
];

export interface Protection {
  /** Existing paths, to be mounted read-only. */
  readonly present: readonly string[];
  /** Folders above them, below the root, to be mounted as they are. */
  readonly parents: readonly string[];
  readonly missing: readonly string[];
  readonly links: readonly string[];
}

export async function protectionOf(root: string, names: readonly string[] = RUNS_ON_HOST): Promise<Protection> {
  const kinds = await Promise.all(names.map((name) => kindOf(root, name)));
  const of = (kind: Kind) =>
    names.filter((_, index) => kinds[index] === kind).map((name) => path.join(root, name));
  const present = of('there');
  const parents = new Set(present.flatMap((file) => between(root, file)));
  return { present, parents: [...parents].toSorted(), missing: of('missing'), links: of('link') };
}

/** Of the paths that were missing, those that are there now. */
export async function appeared(missing: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    missing.map((file) =>
      lstat(file).then(
        () => [file],
        () => [],
      ),
    ),
  );
  return found.flat();
}

type Kind = 'there' | 'missing' | 'link';

async function kindOf(root: string, name: string): Promise<Kind> {
  let at = root;
  for (const part of name.split('/')) {
    at = path.join(at, part);
    const stats = await lstat(at).catch(() => undefined);
    if (stats === undefined) return 'missing';
    if (stats.isSymbolicLink()) return 'link';
  }
  return 'there';
}

function between(root: string, file: string): readonly string[] {
  const parent = path.dirname(file);
  return parent === root || !parent.startsWith(root + path.sep) ? [] : [...between(root, parent), parent];
}
