// `npm run build`: the published form of Rondo, as JavaScript in dist/.
//
//     node scripts/build.ts [--out FOLDER] [--package FOLDER]
//
// 1. A start reads few files: `--version` one, any other command one more. Packages are bundled; large
//    ones that few runs need are files of their own, and better-sqlite3, which is native, is not bundled.
// 2. In the command line's file every module is evaluated when it is first imported, and Node's own
//    modules are asked for without their facade: `import 'node:http'` reads every export, and so loads
//    all of undici. It is a script, so that what V8 compiled of it can be kept (built-command-line.ts).
// 3. The library's files share their modules; the command line's are copies of its own.
// 4. All files lie in one folder: a thread's entry is found beside whatever file starts it.
// 5. `--package` puts together the folder that is packed and published. Its manifest is written here:
//    a clone runs the sources with all dependencies, a package runs dist/ with those that are not bundled.
// 6. Declarations of what the package exports lie in dist/types; they name zod, so the package does too.
// 7. The web app lies in dist/web, built by scripts/build-web.ts.

import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';

import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';

import { createDefaultTools } from '../src/tools/default-tools.ts';
import { createMemoryNotes } from '../src/tools/notes-tool.ts';
import { createReadLedger } from '../src/tools/read-ledger.ts';
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
const native = 'better-sqlite3';
/** Contract suites are written for it; who runs them has it. */
const testRunner = 'vitest';
/** What declarations name. */
const typesOnly = 'zod';
/** Packages that are files of their own. */
const apart: Readonly<Record<string, string>> = {
  '@ai-sdk/amazon-bedrock': 'amazon-bedrock',
  '@ai-sdk/anthropic': 'anthropic',
  '@ai-sdk/google': 'google',
  '@ai-sdk/openai': 'openai',
  '@modelcontextprotocol/client': 'mcp-client',
  '@hono/node-server': 'hono-node-server',
  '@hono/node-server/utils/response': 'hono-response',
  hono: 'hono',
  ws: 'ws',
  yaml: 'yaml',
};
/** Packages of the web app's bundle. */
const bundledByWeb = ['svelte', 'marked', 'dompurify', 'shiki'];
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
await bundle(out);
writeDeclarations(path.join(out, 'types'));
execFileSync(process.execPath, [path.join(import.meta.dirname, 'build-web.ts'), '--out', path.join(out, 'web')]);
if (target !== undefined) writePackage(target);
const sizes = readdirSync(out, { recursive: true, encoding: 'utf8' }).map(
  (file) => statSync(path.join(out, file)).size,
);
const kilobytes = Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1024);
const elapsed = Math.round(performance.now() - started);
console.log(`${path.relative('.', out)}: ${sizes.length} files, ${kilobytes} kB in ${elapsed} ms`);

async function bundle(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const options = {
    absWorkingDir: root,
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Names stay, for stack traces.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    define: { RONDO_VERSION: JSON.stringify(manifest.version) },
  } as const satisfies BuildOptions;
  const parameters = { RONDO_TOOL_PARAMETERS: JSON.stringify(toolParameters()) };
  const commandLine = await build({
    ...options,
    entryPoints: { 'command-line': 'src/cli/command-line.ts' },
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    banner: { js: '(function(bundleRequire,bundleUrl){"use strict";var module={exports:{}};' },
    footer: { js: 'return module.exports})' },
    define: { ...options.define, ...parameters, 'import.meta.url': 'bundleUrl' },
    plugins: [rewritten(), onDemand()],
  });
  const script = readFileSync(path.join(folder, 'command-line.cjs'));
  const others = await Promise.all([
    build({
      ...options,
      entryPoints: { cli: 'src/cli/main.ts' },
      define: { ...options.define, RONDO_BUILD: JSON.stringify(hash('sha256', script).slice(0, 16)) },
      plugins: [cachedCommandLine(), onDemand()],
    }),
    build({
      ...options,
      entryPoints: { writer: 'src/journal/sqlite/writer.ts', 'search-worker': 'src/tools/search-worker.ts' },
      banner: { js: `const bundleRequire=process.getBuiltinModule('module').createRequire(import.meta.url);` },
      plugins: [rewritten(), onDemand()],
    }),
    build({
      ...options,
      entryPoints: {
        rondo: 'src/rondo.ts',
        client: 'src/client/client.ts',
        hosting: 'src/hosting.ts',
        testing: 'src/testing/testing.ts',
        contracts: 'src/testing/contracts/contracts.ts',
      },
      splitting: true,
      external: [native, testRunner],
      define: { ...options.define, ...parameters },
      plugins: [
        rewritten(),
        builtinsWithoutRequire(),
        ...Object.entries(apart).map(([name, file]) => asFile(name, `./${file}.js`)),
      ],
    }),
    build({
      ...options,
      entryPoints: {
        ...Object.fromEntries(Object.entries(apart).map(([name, file]) => [file, name])),
        // Its form for Node is CommonJS, of which a module would export nothing by name.
        yaml: 'node_modules/yaml/browser/index.js',
      },
      splitting: true,
      plugins: [rewritten(), builtinsWithoutRequire()],
    }),
  ]);
  writeFileSync(
    path.join(folder, 'third-party-licenses.txt'),
    licensesOf(
      [commandLine, ...others].map(({ metafile }) => metafile),
      bundledByWeb,
    ),
  );
}

function writeDeclarations(folder: string): void {
  for (const [file, text] of publicDeclarations()) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
}

/** Worked out here once, which every start would have to. */
function toolParameters(): Readonly<Record<string, unknown>> {
  const tools = createDefaultTools({ ledger: createReadLedger(), notes: createMemoryNotes() });
  return Object.fromEntries(tools.map(({ name, parameters }) => [name, parameters]));
}

/** The folder that is packed: `npm pack FOLDER`. */
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

/**
 * 1. `z` as an object is kept whole, with the messages of forty languages; as a namespace of the module it
 *    is cut down to what is used.
 * 2. The entry of a thread is its built file.
 */
function rewritten(): Plugin {
  return {
    name: 'rewritten',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/](src|@ai-sdk|@modelcontextprotocol)[\\/].*\.(ts|m?js)$/ }, ({ path: file }) => {
        const text = readFileSync(file, 'utf8');
        const named = /import \{ z(?: as (\w+))? \} from (['"])(zod(?:\/v4)?)\2/g;
        const thread = /new URL\('(\.\/[\w-]+)\.ts', import\.meta\.url\)/g;
        const contents = text
          .replaceAll(
            named,
            (_, alias: string | undefined, quote: string, from: string) =>
              `import * as ${alias ?? 'z'} from ${quote}${from}${quote}`,
          )
          .replaceAll(thread, (_, name: string) => `new URL('${name}.js', import.meta.url)`);
        return { contents, loader: file.endsWith('.ts') ? 'ts' : 'js' };
      });
    },
  };
}

/** See built-command-line.ts. */
function cachedCommandLine(): Plugin {
  return {
    name: 'cached-command-line',
    setup({ onResolve }) {
      const standIn = path.join(import.meta.dirname, 'built-command-line.ts');
      onResolve({ filter: /^\.\/command-line\.ts$/ }, () => ({ path: standIn }));
    },
  };
}

/** An import that stays one, of another file of the build. */
function asFile(name: string, file: string): Plugin {
  return {
    name: `as-file ${name}`,
    setup({ onResolve }) {
      onResolve({ filter: /./ }, ({ path: wanted, kind }) =>
        wanted === name && kind !== 'entry-point' ? { path: file, external: true } : undefined,
      );
    },
  };
}

/** What is not in the file is asked for by the first module that runs and needs it. */
function onDemand(): Plugin {
  return {
    name: 'on-demand',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /./ }, ({ path: name, kind }) =>
        kind !== 'entry-point' && (isBuiltin(name) || name === native || Object.hasOwn(apart, name))
          ? { path: name, namespace: 'on-demand' }
          : undefined,
      );
      onLoad({ filter: /./, namespace: 'on-demand' }, ({ path: name }) => {
        const file = apart[name];
        const from = JSON.stringify(file === undefined ? name : `./${file}.js`);
        const call = isBuiltin(name) ? `process.getBuiltinModule(${from})` : `bundleRequire(${from})`;
        return { contents: `module.exports = ${call}` };
      });
    },
  };
}

/** Packages in CommonJS `require` Node's own modules, which a bundle of modules has no word for. */
function builtinsWithoutRequire(): Plugin {
  return {
    name: 'builtins-without-require',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /./ }, ({ path: name, kind }) =>
        kind === 'require-call' && isBuiltin(name) ? { path: name, namespace: 'builtin' } : undefined,
      );
      onLoad({ filter: /./, namespace: 'builtin' }, ({ path: name }) => ({
        contents: `module.exports = process.getBuiltinModule(${JSON.stringify(name)})`,
      }));
    },
  };
}

/** What the licences of bundled packages ask for: that they come along. */
function licensesOf(metafiles: readonly Metafile[], others: readonly string[]): string {
  const files = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const packages = new Set(files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []));
  for (const name of others) packages.add(`node_modules/${name}`);
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
