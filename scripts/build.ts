// `npm run build`: builds the published form of Rondo, as JavaScript in dist/ (bundle.ts).
//
//     node scripts/build.ts [--out FOLDER] [--package FOLDER]
//
// 1. `--package` creates the folder that is packed and published. Its manifest is written here: a clone runs the
//    sources with all dependencies, a package runs dist/ with those that aren't bundled.
// 2. dist/types has the declarations of the package's exports; they name zod, so the package depends on it.
// 3. dist/web has the web app, built by scripts/build-web.ts.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { bundle, native } from './bundle.ts';
import { publicDeclarations } from './public-declarations.ts';
import { scriptOptions } from './script-options.ts';

interface Manifest {
  readonly [key: string]: unknown;
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly files: readonly string[];
}

const root = path.resolve(import.meta.dirname, '..');
/** Packages that declarations name. */
const typesOnly = 'zod';
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Manifest;

const values = scriptOptions(
  `npm run build -- [--out FOLDER] [--package FOLDER]

Builds the published form of Rondo, as JavaScript.

  --out FOLDER      where to (default: dist)
  --package FOLDER  puts together the folder that is packed and published
  --refuse-pack     says why a clone is not packed; npm pack runs it`,
  { out: { type: 'string' }, package: { type: 'string' }, 'refuse-pack': { type: 'boolean' } },
);
if (values['refuse-pack'] === true) {
  console.error('This is a clone, not the package. Pack the folder that the build puts together:');
  console.error('  npm run build -- --package dist/package && npm pack ./dist/package');
  process.exit(1);
}
const target = values.package === undefined ? undefined : path.resolve(values.package);
const out = path.resolve(values.out ?? path.join(target ?? root, 'dist'));
const started = performance.now();
await bundle(out, manifest.version);
writeDeclarations(path.join(out, 'types'));
execFileSync(process.execPath, [path.join(import.meta.dirname, 'build-web.ts'), '--out', path.join(out, 'web')]);
if (target !== undefined) writePackage(target);
const sizes = readdirSync(out, { recursive: true, encoding: 'utf8' }).map(
  (file) => statSync(path.join(out, file)).size,
);
const kilobytes = Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1024);
const elapsed = Math.round(performance.now() - started);
console.log(`${path.relative('.', out)}: ${sizes.length} files, ${kilobytes} kB in ${elapsed} ms`);

function writeDeclarations(folder: string): void {
  for (const [file, text] of publicDeclarations()) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
}

/** Creates the folder for `npm pack FOLDER`. */
function writePackage(folder: string): void {
  const { exports, dependencies, files, ...rest } = manifest;
  const { scripts: _s, devDependencies: _d, optionalDependencies: _o, allowScripts: _a, ...kept } = rest;
  const built = Object.entries(exports).map(([name, file]) => {
    const source = /^\.\/src\/(.*)\.ts$/.exec(file)?.[1];
    if (source === undefined) return [name, file];
    return [name, { types: `./dist/types/${source}.d.ts`, default: `./dist/${path.basename(source)}.js` }];
  });
  const needed = Object.entries(dependencies).filter(([name]) => name === native || name === typesOnly);
  const published = {
    ...kept,
    exports: Object.fromEntries(built) as unknown,
    files,
    dependencies: Object.fromEntries(needed) as unknown,
  };
  mkdirSync(path.join(folder, 'bin'), { recursive: true });
  for (const file of ['bin/rondo.cjs', 'README.md', 'LICENSE'])
    copyFileSync(path.join(root, file), path.join(folder, file));
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);
}
