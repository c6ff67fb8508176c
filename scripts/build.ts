// `npm run build`: the published form of Rondo, as JavaScript in dist/.
//
//     node scripts/build.ts [--out FOLDER] [--package FOLDER]
//
// 1. Packages are bundled, so that a start reads few files; only better-sqlite3, which is native, is not.
// 2. All files lie in one folder: a thread's entry is found beside whatever chunk starts it.
// 3. `--package` puts together the folder that is packed and published. Its manifest is written here:
//    a clone runs the sources with all dependencies, a package runs dist/ with one.

import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
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
    plugins: [shakeableZod(), builtinsWithoutRequire()],
  });
  writeFileSync(path.join(folder, 'third-party-licenses.txt'), licensesOf(metafile));
  return Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
}

/** The folder that is packed: `npm pack FOLDER`. */
function writePackage(folder: string): void {
  const { exports, dependencies, files, ...rest } = manifest;
  const { scripts: _s, devDependencies: _d, optionalDependencies: _o, allowScripts: _a, ...kept } = rest;
  const built = Object.entries(exports).map(([name, file]) => [
    name,
    file.startsWith('./src/') ? `./dist/${path.basename(file, '.ts')}.js` : file,
  ]);
  const needed = Object.entries(dependencies).filter(([name]) => external.includes(name));
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

/**
 * `z` as an object is kept whole, with the messages of forty languages; as a namespace of the module
 * it is cut down to what is used.
 */
function shakeableZod(): Plugin {
  return {
    name: 'shakeable-zod',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/](src|@ai-sdk|@modelcontextprotocol)[\\/].*\.(ts|m?js)$/ }, ({ path: file }) => {
        const text = readFileSync(file, 'utf8');
        const named = /import \{ z(?: as (\w+))? \} from (['"])(zod(?:\/v4)?)\2/g;
        if (!named.test(text)) return undefined;
        const contents = text.replaceAll(
          named,
          (_, alias: string | undefined, quote: string, from: string) => `import * as ${alias ?? 'z'} from ${quote}${from}${quote}`,
        );
        return { contents, loader: file.endsWith('.ts') ? 'ts' : 'js' };
      });
    },
  };
}

/** Packages in CommonJS `require` Node's own modules, which a bundle of modules has no word for. */
function builtinsWithoutRequire(): Plugin {
  return {
    name: 'builtins-without-require',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[a-z_/:]+$/ }, ({ path: name, kind }) =>
        kind === 'require-call' && isBuiltin(name) ? { path: name, namespace: 'builtin' } : undefined,
      );
      onLoad({ filter: /./, namespace: 'builtin' }, ({ path: name }) => ({
        contents: `module.exports = process.getBuiltinModule(${JSON.stringify(name)})`,
      }));
    },
  };
}

/** What the licences of bundled packages ask for: that they come along. */
function licensesOf({ inputs }: Metafile): string {
  const packages = new Set(
    Object.keys(inputs).flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
  );
  const texts = [...packages].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(path.join(root, folder, 'package.json'), 'utf8'),
    ) as Readonly<Record<string, string>>;
    const file = readdirSync(path.join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : `\n\n${readFileSync(path.join(root, folder, file), 'utf8').trim()}`;
    return `${name} ${version} (${license})${text}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}
