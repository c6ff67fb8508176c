/**
 * Bundles the published code of Rondo, as JavaScript in one folder.
 *
 * 1. A start reads few files: `--version` one, any other command one more. Packages are bundled; large ones that
 *    few runs need are separate files. better-sqlite3 is native and isn't bundled.
 * 2. In the command line's file every module is evaluated on first import, and Node's own modules are loaded
 *    without their facade: `import 'node:http'` reads every export, and so loads all of undici. It is a script, so
 *    that V8's compiled code can be kept (built-command-line.ts).
 * 3. The library's files share their modules; the command line has its own copies.
 * 4. All files are in one folder, so a thread's entry is found next to the file that starts it.
 */
import { hash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';

import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';

import { createDefaultTools } from '../src/tools/default-tools.ts';
import { createMemoryNotes } from '../src/tools/talk/notes-tool.ts';
import { createReadLedger } from '../src/tools/define/read-ledger.ts';

const root = path.resolve(import.meta.dirname, '..');
export const native = 'better-sqlite3';
/** Contract suites use it; programs that run them have it. */
const testRunner = 'vitest';
/** Packages that become separate files. */
const apart: Readonly<Record<string, string>> = {
  '@ai-sdk/amazon-bedrock': 'amazon-bedrock',
  '@ai-sdk/anthropic': 'anthropic',
  '@ai-sdk/google': 'google',
  '@ai-sdk/openai': 'openai',
  '@modelcontextprotocol/client': 'mcp-client',
  '@hono/node-server': 'hono-node-server',
  '@hono/node-server/utils/response': 'hono-response',
  hono: 'hono',
  pg: 'pg',
  ws: 'ws',
  yaml: 'yaml',
};
/** Packages in the web app's bundle. */
const bundledByWeb = ['svelte', 'marked', 'dompurify', 'shiki'];

export async function bundle(folder: string, version: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const options = {
    absWorkingDir: root,
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Keeps names for stack traces.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    define: { RONDO_VERSION: JSON.stringify(version) },
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
  const file = path.join(folder, 'command-line.cjs');
  const script = inAscii(readFileSync(file, 'utf8'));
  writeFileSync(file, script);
  const others = await Promise.all([
    build({
      ...options,
      entryPoints: { cli: 'src/cli/main.ts' },
      define: { ...options.define, RONDO_BUILD: JSON.stringify(hash('sha256', script).slice(0, 16)) },
      plugins: [cachedCommandLine(), onDemand()],
    }),
    build({
      ...options,
      entryPoints: {
        writer: 'src/journal/sqlite/writer.ts',
        'search-worker': 'src/tools/search/search-worker.ts',
      },
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
        // Its Node build is CommonJS, from which a module could export nothing by name.
        yaml: 'node_modules/yaml/browser/index.js',
      },
      // Only used by programs that install and ask for them.
      external: ['pg-native', 'pg-cloudflare'],
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

/**
 * Makes the script one byte per character, which V8 stores and compiles faster. The bundler escapes other
 * characters in strings but leaves them in regular expressions, where an escape means the same.
 */
function inAscii(script: string): string {
  // oxlint-disable-next-line no-control-regex -- every character that is not ASCII, the unprintable ones too
  return script.replaceAll(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Computed once here instead of at every start. */
function toolParameters(): Readonly<Record<string, unknown>> {
  const tools = createDefaultTools({ ledger: createReadLedger(), notes: createMemoryNotes() });
  return Object.fromEntries(tools.map(({ name, parameters }) => [name, parameters]));
}

/**
 * 1. `z` as an object would be kept whole, with messages in forty languages; as a module namespace it is reduced to
 *    the parts in use.
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

/** An import of another file of the build, which stays an import. */
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

/** The first module that needs an external file loads it. */
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

/** CommonJS packages `require` Node's own modules, which ES modules can't do directly. */
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

/** Includes the licences of bundled packages, as they require. */
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
