// Builds the web app into web/dist if it is missing or older than its sources, and does nothing otherwise.
//
//     node scripts/build-web.ts [--force]
//     node scripts/build-web.ts --out FOLDER      always, and without the stamp
//
// The stamp in the bundle names its sources by path, size and time; both appear together.

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { scriptOptions } from './script-options.ts';

import { fingerprintOf } from './fingerprint.ts';

const root = path.resolve(import.meta.dirname, '..');
const values = scriptOptions(
  `node scripts/build-web.ts [--force]
node scripts/build-web.ts --out FOLDER

Builds the web app into web/dist when it is missing or older than its sources.

  --force       also when it is not
  --out FOLDER  into another folder, always`,
  { out: { type: 'string' }, force: { type: 'boolean' } },
);
const out = path.resolve(values.out ?? path.join(root, 'web/dist'));
const stamp = path.join(out, '.sources');

const isWanted = values.force === true || values.out !== undefined || readIfThere(stamp) !== fingerprint();
if (isWanted) await build();

async function build(): Promise<void> {
  const started = performance.now();
  const before = fingerprint();
  process.stderr.write('Building the web app …\n');
  const { build: bundle } = await import('vite');
  // Built next to its target, so that a running server serves either the old one or the new one.
  const fresh = `${out}.${process.pid}`;
  try {
    await bundle({ configFile: path.join(root, 'web/vite.config.ts'), build: { outDir: fresh } });
    if (values.out === undefined) writeFileSync(path.join(fresh, '.sources'), before);
    rmSync(out, { recursive: true, force: true });
    renameSync(fresh, out);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  process.stderr.write(`Building the web app: done in ${Math.round((performance.now() - started) / 1000)} s\n`);
}

function fingerprint(): string {
  return fingerprintOf([
    'web/{src,public}/**/*',
    'web/{index.html,vite.config.ts}',
    'src/{client,commands,kernel,ports,protocol,views,wording}/**/*.ts',
    'package-lock.json',
  ]);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
