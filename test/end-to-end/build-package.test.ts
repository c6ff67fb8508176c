// The package as users install it: built, packed, installed from the tarball, and run without any sources.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ToolSpec } from '../../src/ports/tool.ts';
import { createDefaultTools } from '../../src/tools/default-tools.ts';
import { createMemoryNotes } from '../../src/tools/talk/notes-tool.ts';
import { createReadLedger } from '../../src/tools/define/read-ledger.ts';
import { startFakeProvider } from '../fixtures/fake-provider/fake-provider.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
let folder = '';
let packed: readonly string[] = [];

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'rondo-package-')));
  const staged = path.join(folder, 'staged');
  await run(process.execPath, [path.join(root, 'scripts/build.ts'), '--package', staged]);
  const [{ filename, files }] = JSON.parse(await npm('pack', '--json', staged)) as [Packed];
  packed = files.map((file) => file.path);
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  await npm('install', '--prefer-offline', '--no-audit', '--no-fund', path.join(folder, filename));
  await mkdir(path.join(folder, 'project'));
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** The machine's own npm, which must not find the Node that a clone may have installed. */
async function npm(...words: readonly string[]): Promise<string> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_/i.test(name)));
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  env['PATH'] = folders.filter((entry) => !entry.includes('node_modules')).join(path.delimiter);
  return (await run('npm', words, { cwd: folder, env, shell: process.platform === 'win32' })).stdout;
}

async function node(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { PATH = '', TMPDIR = os.tmpdir() } = process.env;
  return run(process.execPath, words, {
    cwd: path.join(folder, 'project'),
    env: {
      PATH,
      TMPDIR,
      RONDO_HOME: path.join(folder, 'home'),
      OLLAMA_HOST: '127.0.0.1:9',
      NO_COLOR: '1',
      ...env,
    },
  });
}

const rondo = (words: readonly string[], env?: Readonly<Record<string, string>>) =>
  node([path.join(folder, 'node_modules/rondo/bin/rondo.cjs'), ...words], env);

describe('the package', () => {
  test('holds what it runs on, its licences, and nothing else', async () => {
    const hashed = /^dist\/([a-z-]+-[A-Z0-9]{8}\.js|web\/assets\/[\w.-]+-[\w-]{8}\.(js|css|woff2))$/;
    const declared = /^dist\/types\/.*\.d\.ts$/;
    const plain = packed.filter((file) => !hashed.test(file) && !declared.test(file));
    expect(packed.filter((file) => declared.test(file))).toContain('dist/types/rondo.d.ts');
    expect(packed.filter((file) => /^dist\/web\/assets\/app-.*\.js$/.test(file))).toHaveLength(1);
    const apart = ['amazon-bedrock', 'anthropic', 'google', 'hono', 'hono-node-server', 'hono-response'];
    const more = ['mcp-client', 'openai', 'pg', 'ws', 'yaml'];
    const entries = ['cli', 'client', 'contracts', 'hosting', 'rondo', 'search-worker', 'testing', 'writer'];
    const built = [...apart, ...more, ...entries].map((name) => `dist/${name}.js`);
    const web = [
      'icon-192.png',
      'icon-512.png',
      'icon.svg',
      'index.html',
      'manifest.webmanifest',
      'sw.js',
      'theme.js',
      'third-party-notices.txt',
    ];
    const others = [
      ...web.map((name) => `dist/web/${name}`),
      'LICENSE',
      'README.md',
      'bin/rondo.cjs',
      'package.json',
      'dist/command-line.cjs',
      'dist/third-party-licenses.txt',
    ];
    expect(plain.toSorted()).toEqual([...built, ...others].toSorted());
    const installed = await readdir(path.join(folder, 'node_modules'));
    expect(installed.filter((name) => !name.startsWith('.')).toSorted()).toEqual([
      'better-sqlite3',
      'node-addon-api',
      'rondo',
      'zod',
    ]);
  });

  test('has a command line of ASCII alone, since it is read as one byte a character', async () => {
    const script = await readFile(path.join(folder, 'node_modules/rondo/dist/command-line.cjs'));
    expect(script.findIndex((byte) => byte > 0x7f)).toBe(-1);
  });

  test('brings its types: a strict program that names all of its entry points compiles', async () => {
    await writeFile(
      path.join(folder, 'project/typed.ts'),
      `import { createRondo, type Reply, type Tool } from 'rondo';
import { createClient, type WireInput } from 'rondo/client';
import { createHostedSessions } from 'rondo/hosting';
import { createScriptedModel } from 'rondo/testing';
const input: WireInput = { type: 'chat', text: 'hi' };
// @ts-expect-error a chat has a text
const wrong: WireInput = { type: 'chat' };
const tool: Tool = {
  name: 'weather', description: 'The weather.', parameters: { type: 'object' },
  describe: () => ({ access: 'read', repeat: 'safe', order: 'parallel', runs: 'tool' }),
  run: async () => ({ type: 'success', output: 'sunny' }),
};
const rondo = await createRondo({ tools: [tool], models: { m: createScriptedModel([]) } });
const reply: Reply = await (await rondo.sessions.create()).chat('hi');
const text: string = reply.text;
// @ts-expect-error a text is no number
const number: number = reply.text;
export { createClient, createHostedSessions, input, number, text, wrong };
`,
    );
    const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--target', 'esnext', '--module', 'nodenext'];
    const types = ['--types', 'node', '--typeRoots', path.join(root, 'node_modules/@types')];
    const { stdout } = await node([compiler, '--ignoreConfig', ...options, ...types, 'typed.ts']).catch(
      (error: { readonly stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });

  test('tells its version with one file read', async () => {
    const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { version: string };
    expect((await rondo(['--version'])).stdout).toBe(`${version}\n`);
    const entry = await readFile(path.join(folder, 'node_modules/rondo/dist/cli.js'), 'utf8');
    expect(entry.match(/\bfrom\s*["']\.|\bimport\s*["']/)).toBe(null);
  });

  test('runs a prompt, keeps it, and searches files, each in its own thread', async () => {
    await writeFile(path.join(folder, 'project/a.txt'), 'one\nneedle\n');
    expect((await rondo(['run', '--agent', 'testing', 'hi'])).stdout).toBe('You said: hi\n');
    expect((await rondo(['show', 'latest'])).stdout).toContain('You said: hi');
    const found = await rondo(['run', '--agent', 'testing', '--allow', 'grep', 'call grep {"pattern":"needle"}']);
    expect(found.stdout).toContain('a.txt');
  });

  test('keeps what a command compiled for its next start, and does without it', async () => {
    const cache = path.join(folder, 'home/cache');
    await rm(cache, { recursive: true, force: true });
    const words = ['run', '--agent', 'testing', 'hi'];
    await rondo(words);
    const [kept = '', ...others] = await readdir(cache);
    expect([kept.replace(/^[0-9a-f]{16}-/, ''), ...others]).toEqual([`${process.version}-${process.arch}-run`]);
    await writeFile(path.join(cache, kept), 'broken');
    expect((await rondo(words)).stdout).toBe('You said: hi\n');
    expect((await readFile(path.join(cache, kept))).length).toBeGreaterThan(100_000);
    await rm(cache, { recursive: true });
    await writeFile(cache, 'no folder');
    expect((await rondo(words)).stdout).toBe('You said: hi\n');
    await rm(cache);
  });

  test('is a library', async () => {
    await writeFile(
      path.join(folder, 'project/program.js'),
      `import { createRondo } from 'rondo';
import { createTestingModel } from 'rondo/testing';
import { createClient } from 'rondo/client';
await using rondo = await createRondo({ store: 'sqlite:./library.db', agents: { a: {} }, models: { m: createTestingModel() } });
console.log((await (await rondo.sessions.create()).chat('hi')).text, typeof createClient);
`,
    );
    expect((await node(['program.js'])).stdout).toBe('You said: hi function\n');
  });

  test('reads agents from Markdown', async () => {
    await mkdir(path.join(folder, 'home/agents'), { recursive: true });
    await writeFile(path.join(folder, 'home/agents/poet.md'), '---\ndescription: Writes.\n---\nYou write.\n');
    expect((await rondo(['agents'])).stdout).toContain('poet');
  });

  test.for([
    ['openai-compatible/m', { OPENAI_BASE_URL: '/v1', OPENAI_API_KEY: 'k' }],
    ['anthropic/m', { ANTHROPIC_BASE_URL: '/v1', ANTHROPIC_API_KEY: 'k' }],
    ['google/m', { GOOGLE_GEMINI_BASE_URL: '/v1beta', GEMINI_API_KEY: 'k' }],
  ] as const)('reaches %s, and offers it the tools that the sources have', async ([model, settings]) => {
    await using provider = await startFakeProvider();
    const env = Object.entries(settings).map(([name, value]) => [
      name,
      value.startsWith('/') ? `${provider.url}${value}` : value,
    ]);
    const words = ['run', '--model', model, 'hello there'];
    const { stdout } = await rondo(words, Object.fromEntries(env) as Readonly<Record<string, string>>);
    expect(stdout).toBe('You said: hello there\n');
    if (!model.startsWith('openai')) return;
    const tools = provider.requests[0]?.body['tools'] as readonly { readonly function: ToolSpec }[];
    const sources = createDefaultTools({ ledger: createReadLedger(), notes: createMemoryNotes() });
    expect(tools.map((tool) => tool.function).slice(0, sources.length)).toEqual(
      sources.map(({ name, description, parameters }) => ({ name, description, parameters })),
    );
  });
});
