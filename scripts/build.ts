// `npm run build`: the published form of Rondo, as JavaScript in dist/.
//
//     node scripts/build.ts [--out FOLDER] [--package FOLDER]
//
// 1. Packages are bundled, so that a start reads few files; only better-sqlite3, which is native, is not.
// 2. All files lie in one folder: a thread's entry is found beside whatever chunk starts it.
// 3. `--package` puts together the folder that is packed and published. Its manifest is written here:
//    a clone runs the sources with all dependencies, a package runs dist/ with one.

import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { build, type Metafile, type Plugin } from 'esbuild';

interface Manifest {
  readonly [key: string]: unknown;
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly files: readonly string[];
}

const root = path.resolve(import.meta.dirname, '..');
const external = ['better-sqlite3'];
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Manifest;

const { values } = parseArgs({ options: { out: { type: 'string' }, package: { type: 'string' } } });
const target = values.package === undefined ? undefined : path.resolve(values.package);
const out = path.resolve(values.out ?? path.join(target ?? root, 'dist'));
const started = performance.now();
const bytes = await bundle(out);
if (target !== undefined) writePackage(target);
console.log(
  `${path.relative('.', out) || '.'}: ${readdirSync(out).length} files, ${Math.round(bytes / 1024)} kB in ${Math.round(performance.now() - started)} ms`,
);

/** Its size. */
async function bundle(folder: string): Promise<number> {
  rmSync(folder, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      cli: 'src/cli/main.ts',
      rondo: 'src/rondo.ts',
      client: 'src/client/client.ts',
      testing: 'src/testing/testing.ts',
      writer: 'src/journal/sqlite/writer.ts',
      'search-worker': 'src/tools/search-worker.ts',
    },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external,
    // Names stay, for stack traces.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    define: { RONDO_VERSION: JSON.stringify(manifest.version) },
    plugins: [shakeableZod],
    // Packages in CommonJS ask for Node's own modules at run time.
    banner: { js: "import{createRequire as __rondoRequire}from'node:module';const require=__rondoRequire(import.meta.url);" },
  });
  writeFileSync(path.join(folder, 'third-party-licenses.txt'), licencesOf(metafile));
  return Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
}
