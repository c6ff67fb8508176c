// Where the blocks of a page run: a project, a home, the tested `rondo` on PATH, and each page's prerequisites.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';

import { loadManaged } from '../../src/agents/managed-policy.ts';
import { freePort } from '../fixtures/free-port.ts';
import { createRondoHome, rondoBinary } from '../fixtures/rondo-binary.ts';
import { createGuideShell, type GuideShell } from './guide-shell.ts';

export interface GuidePlace extends AsyncDisposable {
  readonly project: string;
  readonly shell: GuideShell;
  readonly env: Readonly<Record<string, string>>;
  /** Replaces placeholders of a page by values of this machine: the server's port, another host's name, an id. */
  replace(text: string): string;
  /** From now on, printed ids replace `q_…`. */
  notice(printed: string): void;
  write(file: string, content: string): Promise<void>;
  /** Adds a command to PATH. */
  addCommand(name: string, command: string): Promise<void>;
  readonly stands: Map<string, string>;
  readonly posted: unknown[];
}

const fixture = (name: string) => path.resolve(import.meta.dirname, '../fixtures', name);

/** Set-up before the first block, by page. */
const preparations: Readonly<Record<string, (place: GuidePlace) => Promise<void>>> = {
  'docs/guides/first-session.md': async ({ stands, project }) => void stands.set('some/project', project),
  'docs/guides/host-an-agent.md': (place) =>
    place.addCommand('my-agent', `${process.execPath} ${fixture('acp-agent/main.ts')}`),
  'docs/guides/recover.md': async ({ shell, stands }) => {
    await shell.run('rondo run --allow write "create notes.md with hello"');
    // A second home stands in for the other machine.
    stands.set('rondo import session.rondo', 'RONDO_HOME=$PWD/other rondo import session.rondo');
  },
  'docs/guides/terminal.md': async ({ shell }) =>
    void (await shell.run('rondo run "what is in this repository?"')),
  'docs/guides/embed.md': async (place) => {
    await place.shell.serve('rondo serve');
    const token = await readFile(path.join(place.env['RONDO_HOME'] ?? '', 'token'), 'utf8');
    await place.shell.run(`export RONDO_TOKEN=${token.trim()}`);
  },
  'docs/operate/README.md': async (place) => void (await place.shell.serve('rondo serve')),
  'docs/operate/tls.md': async ({ project, stands }) => {
    const words = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=rondo.example.org';
    const files = ['-keyout', 'privkey.pem', '-out', 'fullchain.pem'];
    execFileSync('openssl', ['req', ...words.split(' '), ...files], { cwd: project, stdio: 'ignore' });
    stands.set('0.0.0.0', '127.0.0.1');
  },
  'docs/operate/webhook.md': async ({ shell, stands, posted, env }) => {
    const hook = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => (posted.push(JSON.parse(body)), response.end()));
    });
    await once(hook.unref().listen(0, '127.0.0.1'), 'listening');
    stands.set('https://hooks.example.org', `http://127.0.0.1:${(hook.address() as AddressInfo).port}`);
    stands.set('https://rondo.example.org', `http://127.0.0.1:${env['RONDO_PORT']}`);
    await shell.run(`TOKEN=$(rondo token create phone --role approver | grep -o 'rondo_[^ ]*')`);
  },
};

/** Checks of blocks that aren't commands, by the name used in pages. */
export const checks: Readonly<Record<string, (text: string, place: GuidePlace) => Promise<unknown>>> = {
  'managed policy': async (text, { project }) => {
    const file = path.join(project, 'policy.json');
    await writeFile(file, text, { mode: 0o644 });
    return (await loadManaged({ file, owner: process.getuid?.() ?? 0 })).type === 'loaded' || 'not loaded';
  },
  'ACP agent of an editor': async (text, { env, project }) => {
    const { agent_servers: servers } = JSON.parse(text) as Record<string, Record<string, AgentServer>>;
    const [{ command, args }] = Object.values(servers ?? {}) as [AgentServer];
    const editor = spawn(command, args, { cwd: project, env, stdio: ['pipe', 'pipe', 'inherit'] });
    const params = { protocolVersion: 1, clientCapabilities: {} };
    editor.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })}\n`);
    const [answer] = (await once(editor.stdout, 'data')) as [Buffer];
    editor.stdin.end();
    await once(editor, 'close');
    const { result } = JSON.parse(answer.toString()) as { result: { protocolVersion: number } };
    return result.protocolVersion === 1 || answer.toString();
  },
  webhook: async (text, { shell, posted, notice }) => {
    notice((await shell.run('rondo run "create notes.md with hello"')).printed);
    const deadline = Date.now() + 15_000;
    while (posted.length === 0 && Date.now() < deadline) await shell.run('sleep 0.1');
    const shape = (value: unknown) =>
      Object.entries(value ?? {}).map(([key, one]) => [key, /^(type|kind)$/.test(key) ? one : typeof one]);
    const [shown, sent] = [shape(JSON.parse(text)), shape(posted[0])];
    return JSON.stringify(shown) === JSON.stringify(sent) || sent;
  },
};

interface AgentServer {
  readonly command: string;
  readonly args: readonly string[];
}

export async function createGuidePlace(page: string): Promise<GuidePlace> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'rondo-guide-')));
  const [project, commands] = [path.join(folder, 'project'), path.join(folder, 'bin')];
  await mkdir(project);
  await mkdir(commands);
  const port = await freePort();
  const env = {
    PATH: `${commands}:${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    RONDO_HOME: createRondoHome(path.join(folder, 'home')),
    RONDO_PORT: String(port),
    RONDO_BWRAP: 'none',
    OLLAMA_HOST: '127.0.0.1:9',
    NO_COLOR: '1',
    LANG: 'C.UTF-8',
  };
  const stands = new Map([['127.0.0.1:4747', `127.0.0.1:${port}`]]);
  const shell = createGuideShell(project, env);
  const place: GuidePlace = {
    project,
    shell,
    env,
    stands,
    posted: [],
    replace: (text) => [...stands].reduce((made, [from, to]) => made.replaceAll(from, to), withIds(text, stands)),
    notice(printed) {
      for (const [id, kind] of printed.matchAll(/\b(ses|q|tok)_[a-z0-9]{8,}/g)) stands.set(`${kind}_…`, id);
    },
    async write(file, content) {
      await mkdir(path.dirname(path.join(project, file)), { recursive: true });
      await writeFile(path.join(project, file), content);
    },
    async addCommand(name, command) {
      const file = path.join(commands, name);
      await writeFile(file, `#!/bin/sh\nexec ${command}\n`);
      await chmod(file, 0o755);
    },
    async [Symbol.asyncDispose]() {
      await shell[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await place.addCommand('rondo', `${process.execPath} ${rondoBinary} "$@"`);
  await sampleRepository(place);
  await preparations[page]?.(place);
  return place;
}

/** `q_1m7h…` is the last question that was printed. */
function withIds(text: string, stands: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\b(ses|q|tok)_[a-z0-9]*…/g, (all, kind) => stands.get(`${kind}_…`) ?? all);
}

async function sampleRepository({ project, write }: GuidePlace): Promise<void> {
  await write('README.md', '# Sums\n\nAdds numbers.\n');
  await write('package.json', '{ "name": "sums", "version": "1.0.0", "scripts": { "test": "node --test" } }\n');
  await write('sum.js', 'exports.sum = (a, b) => a + b;\n');
  await write(
    'sum.test.js',
    "const test = require('node:test');\nconst assert = require('node:assert');\nconst { sum } = require('./sum.js');\n\ntest('adds', () => assert.equal(sum(1, 2), 3));\n",
  );
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...words], {
      cwd: project,
      stdio: 'ignore',
    });
  git('init', '-b', 'main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.org');
  git('add', '.');
  git('commit', '-m', 'Add numbers');
}
