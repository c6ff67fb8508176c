// Builds into .cache/package the `rondo` that tests run, if it is missing or older than its sources: the published
// command line, which starts in a third of the time the sources take. Vitest runs this before process and browser
// tests (test/fixtures/rondo-binary.ts), and `npm run soak` does too.

import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { fingerprintOf } from './fingerprint.ts';

const root = path.resolve(import.meta.dirname, '..');
const target = path.join(root, '.cache/package');
const stamp = path.join(target, '.sources');
const sources = fingerprintOf(['src/**/*.{ts,md,json}', 'scripts/*.ts', 'bin/rondo.cjs', 'package{,-lock}.json']);

if (readIfThere(stamp) !== sources) {
  const { bundle } = await import('./bundle.ts');
  const { name, version, type } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Readonly<
    Record<string, string>
  >;
  // Built next to its target, so that it appears complete.
  const fresh = `${target}.${process.pid}`;
  try {
    await bundle(path.join(fresh, 'dist'), version ?? '');
    mkdirSync(path.join(fresh, 'bin'));
    copyFileSync(path.join(root, 'bin/rondo.cjs'), path.join(fresh, 'bin/rondo.cjs'));
    writeFileSync(path.join(fresh, 'package.json'), JSON.stringify({ name, version, type }));
    symlinkSync(path.join(root, 'web/dist'), path.join(fresh, 'dist/web'));
    writeFileSync(path.join(fresh, '.sources'), sources);
    rmSync(target, { recursive: true, force: true });
    renameSync(fresh, target);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
