/** Identifies the sources of a build by path, size and time. */
import { hash } from 'node:crypto';
import { globSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/** Files in the repository; tests are never part of a build. */
export function fingerprintOf(patterns: readonly string[]): string {
  const files = globSync(patterns, { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const lines = files.toSorted().map((file) => {
    const { size, mtimeMs } = statSync(path.join(root, file));
    return `${file} ${size} ${mtimeMs}`;
  });
  return hash('sha256', lines.join('\n'));
}
