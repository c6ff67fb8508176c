/** The scripts of a project and its packages, which the grants for its checks are pinned to. */
import { type Dirent, readdirSync } from 'node:fs';
import path from 'node:path';

import { smallFileText } from '../../security/paths/git-dir.ts';
import { shortDigest } from './command-form.ts';

export interface Package {
  readonly file: string;
  readonly scripts: Readonly<Record<string, string>>;
}

/**
 * A digest of the scripts of every package of a root, and of its build files. Undefined if it wouldn't cover those
 * of `folder`, or if there are too many.
 */
export function projectPin(root: string, folder: string): string | undefined {
  const below = path.relative(root, folder).split(path.sep);
  if (below.length > DEEPEST || below.some((name) => name === '..' || UNREAD.test(name))) return undefined;
  const files = buildFiles(root);
  return files === undefined
    ? undefined
    : shortDigest(
        JSON.stringify(
          files.map((file) => [
            path.relative(root, file),
            isPackage(file) ? scriptsIn(file) : smallFileText(file),
          ]),
        ),
      );
}

/** Undefined if there are too many folders. */
export function projectPackages(root: string): readonly Package[] | undefined {
  return buildFiles(root)
    ?.filter(isPackage)
    .map((file) => ({ file, scripts: scriptsIn(file) }));
}

export function scriptsIn(file: string): Readonly<Record<string, string>> {
  try {
    const { scripts } = JSON.parse(smallFileText(file) ?? '{}') as { scripts?: Record<string, string> };
    return scripts ?? {};
  } catch {
    return {};
  }
}

const MOST_FOLDERS = 1_000;
const DEEPEST = 4;
const UNREAD = /^(?:node_modules|\.git|\.venv|venv|target|dist|build)$/;
const BUILD_FILE = /^(?:package\.json|(?:GNU)?makefile|\.?justfile)$/i;

function isPackage(file: string): boolean {
  return path.basename(file) === 'package.json';
}

function buildFiles(root: string): readonly string[] | undefined {
  const files: string[] = [];
  const pending: { readonly folder: string; readonly depth: number }[] = [{ folder: root, depth: 0 }];
  for (let visited = 0; pending.length > 0; visited += 1) {
    const next = pending.shift();
    if (next === undefined || visited > MOST_FOLDERS) return undefined;
    for (const entry of entriesOf(next.folder)) {
      const file = path.join(next.folder, entry.name);
      if (!entry.isDirectory()) {
        if (BUILD_FILE.test(entry.name)) files.push(file);
      } else if (next.depth < DEEPEST && !UNREAD.test(entry.name))
        pending.push({ folder: file, depth: next.depth + 1 });
    }
  }
  return files;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    return [];
  }
}
