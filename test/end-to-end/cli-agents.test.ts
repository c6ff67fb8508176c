// [C142] Agents from a registry file: npm packages of a local npm registry, and archives.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { once } from 'node:events';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, test } from 'vitest';

import { certificate } from '../fixtures/certificate.ts';
import { createCliPlace, type CliPlace } from './cli-process.ts';

/** An agent that repeats its prompt. */
const program = `#!${process.execPath}
import { createInterface } from 'node:readline';
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') return send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  if (method === 'session/new') return send({ id, result: { sessionId: 's1' } });
  if (method !== 'session/prompt') return;
  const text = process.argv.slice(2).join(' ') + ': ' + params.prompt.map((block) => block.text).join('');
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
  send({ method: 'session/update', params: { sessionId: 's1', update } });
  send({ id, result: { stopReason: 'end_turn' } });
}).on('close', () => process.exit(0));
`;

/** The package as npm publishes it, with a script that must not run. */
async function packed(place: CliPlace, version: string): Promise<Buffer> {
  const folder = path.join(place.home, `made-${version}`);
  await mkdir(path.join(folder, 'package'), { recursive: true });
  await writeFile(path.join(folder, 'package/agent.mjs'), program);
  await chmod(path.join(folder, 'package/agent.mjs'), 0o755);
  const about = { name: 'tiny', version, bin: { tiny: 'agent.mjs' }, scripts: scriptsIn(place) };
  await writeFile(path.join(folder, 'package/package.json'), JSON.stringify(about));
  const file = path.join(folder, 'tiny.tgz');
  execFileSync('tar', ['-czf', file, '-C', folder, 'package']);
  return await readFile(file);
}

const scriptsIn = (place: CliPlace) => ({ postinstall: `touch ${path.join(place.home, 'script-ran')}` });

async function npmRegistry(place: CliPlace, versions: readonly string[]) {
  const files = new Map<string, Buffer>();
  for (const version of versions) files.set(version, await packed(place, version));
  const server = createServer((request, response) => {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const tarball = /^\/tiny\/-\/(.+)\.tgz$/.exec(request.url ?? '')?.[1];
    if (tarball !== undefined) {
      response.end(files.get(tarball));
      return;
    }
    const entries = [...files].map(([version, content]) => [
      version,
      {
        name: 'tiny',
        version,
        bin: { tiny: 'agent.mjs' },
        hasInstallScript: true,
        scripts: scriptsIn(place),
        dist: { tarball: `${base}/tiny/-/${version}.tgz`, integrity: integrityOf(content) },
      },
    ]);
    response.setHeader('content-type', 'application/json');
    const list = { name: 'tiny', 'dist-tags': { latest: versions.at(-1) }, versions: Object.fromEntries(entries) };
    response.end(JSON.stringify(list));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    env: {
      npm_config_registry: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      npm_config_cache: path.join(place.home, 'npm-cache'),
    },
    integrity: (version: string) => integrityOf(files.get(version) ?? Buffer.alloc(0)),
    [Symbol.dispose]: () => void server.close(),
  };
}

function integrityOf(content: Buffer): string {
  return `sha512-${createHash('sha512').update(content).digest('base64')}`;
}

const entryOf = (version: string) => ({
  id: 'tiny',
  name: 'Tiny',
  version,
  description: 'Repeats what you say',
  distribution: { npx: { package: `tiny@${version}`, args: ['heard'] } },
});

test('[C142][S17] an npm agent is pinned, asked about, installed without scripts, hosted, updated and removed', async () => {
  await using place = await createCliPlace();
  using npm = await npmRegistry(place, ['1.0.0', '1.1.0']);
  const loose = { ...entryOf('1.0.0'), id: 'loose', distribution: { npx: { package: 'tiny@latest' } } };
  const file = await place.write('registry.json', { version: '1', agents: [entryOf('1.0.0'), loose, { id: 7 }] });
  const rondo = (...words: readonly string[]) =>
    place.start([...words, '--registry', file], { env: npm.env }).ended;
  expect((await rondo('agents', 'search', 'repeats')).out).toContain('tiny');
  const unasked = await rondo('agents', 'add', 'tiny');
  expect([unasked.code, unasked.err]).toEqual([3, expect.stringContaining('without install scripts')]);
  expect((await rondo('agents', 'add', 'loose', '--yes')).err).toContain('must name an exact version');
  expect((await rondo('agents', 'add', 'tny', '--yes')).err).toContain('Did you mean tiny?');
  const added = await rondo('agents', 'add', 'tiny', '--yes', '--json');
  expect([added.code, added.err]).toEqual([0, expect.stringContaining('Tiny 1.0.0')]);
  expect(JSON.parse(added.out)).toMatchObject({
    name: 'tiny',
    version: '1.0.0',
    from: 'tiny@1.0.0',
    integrity: npm.integrity('1.0.0'),
  });
  expect(existsSync(path.join(place.home, 'script-ran'))).toBe(false);
  expect((await place.rondo('agents')).out).toMatch(/tiny\s+registry/);
  expect((await place.rondo('run', '--agent', 'tiny', 'hello')).out).toContain('heard: hello');
  await place.write('registry.json', { agents: [entryOf('1.1.0')] });
  expect((await rondo('agents', 'update', 'tiny', '--yes')).out).toContain('Installed tiny 1.1.0');
  expect(readdirSync(path.join(place.home, '.rondo/agents/installed/tiny'))).toEqual(['1.1.0']);
  expect((await place.rondo('agents', 'remove', 'tiny')).out).toBe('Removed tiny 1.1.0.\n');
  expect((await place.rondo('run', '--agent', 'tiny', 'hello')).code).toBe(2);
  expect((await place.rondo('agents', 'remove', 'tiny')).err).toContain("tiny isn't installed from a registry");
});

test('[C142][S17] an archive must match its checksum, and its command must be inside it', async () => {
  await using place = await createCliPlace();
  const content = await packed(place, '2.0.0');
  const archive = path.join(place.home, 'tiny.tgz');
  await writeFile(archive, content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const platform = `${process.platform}-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}`;
  const entry = (id: string, binary: object) => ({
    ...entryOf('2.0.0'),
    id,
    distribution: {
      binary: { [platform]: { archive: pathToFileURL(archive).href, cmd: './package/agent.mjs', ...binary } },
    },
  });
  const file = await place.write('registry.json', {
    agents: [
      entry('good', { sha256, args: ['archived'] }),
      entry('changed', { sha256: '0'.repeat(64) }),
      entry('outside', { cmd: '../../../../bin/sh' }),
      entry('plain', { archive: 'http://example.org/x.tgz' }),
    ],
  });
  const add = (name: string) => place.rondo('agents', 'add', name, '--registry', file, '--yes');
  expect((await add('changed')).err).toContain(`its SHA-256 is ${sha256}`);
  expect((await add('outside')).err).toContain('is outside the archive');
  expect((await add('plain')).err).toContain('must start with https:');
  expect(existsSync(path.join(place.home, '.rondo/agents/installed/agents.json'))).toBe(false);
  expect((await add('good')).out).toContain(`Installed good 2.0.0 (sha256-${sha256}).`);
  expect((await place.rondo('run', '--agent', 'good', 'hello')).out).toContain('archived: hello');
});

test('[C142][S17] a hostile entry reaches no other folder, no option of npm, no program outside and no plain HTTP', async () => {
  await using place = await createCliPlace();
  const folder = path.join(place.home, 'made');
  await mkdir(folder);
  await symlink('/bin/sh', path.join(folder, 'agent'));
  const archive = path.join(place.home, 'linked.tgz');
  execFileSync('tar', ['-czf', archive, '-C', folder, 'agent']);
  const platform = `${process.platform}-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}`;
  const kept = await place.write('../.rondo/agents/installed/kept/1.0.0/agent', 'kept');
  const plain = createServer((_, response) => void response.end('not what was asked for'));
  const server = createHttpsServer(await certificate(), (_, response) => {
    response.writeHead(302, { location: `http://${addressOf(plain)}/` }).end();
  });
  for (const one of [plain, server]) await once(one.listen(0, '127.0.0.1'), 'listening');
  const address = `https://${addressOf(server)}/archive.tgz`;
  const of = (from: string) => ({ binary: { [platform]: { archive: from, cmd: './agent' } } });
  const file = await place.write('registry.json', {
    agents: [
      { ...entryOf('1.0.0'), id: 'above', version: '..' },
      { ...entryOf('1.0.0'), id: 'option', distribution: { npx: { package: '--global@1.0.0' } } },
      { ...entryOf('1.0.0'), id: 'linked', distribution: of(pathToFileURL(archive).href) },
      { ...entryOf('1.0.0'), id: 'redirected', distribution: of(address) },
      {
        ...entryOf('1.0.0'),
        id: 'setting',
        distribution: { npx: { package: 'tiny@1.0.0', env: { NODE_OPTIONS: '--import /tmp/x\u001b[2K' } } },
      },
    ],
  });
  const add = async (name: string, ...words: readonly string[]) =>
    (
      await place.start(['agents', 'add', name, '--registry', file, ...words], {
        env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      }).ended
    ).err;
  expect(await add('above', '--yes')).toContain('must have a plain version');
  expect(await add('option', '--yes')).toContain('must name an exact version');
  expect(await add('linked', '--yes')).toContain('./agent is outside the archive');
  expect(await add('redirected', '--yes')).toContain(`redirects to http://${addressOf(plain)}/, which`);
  expect(await add('setting')).toContain('Sets: NODE_OPTIONS=--import /tmp/x‹U+001B›[2K');
  expect(await readFile(kept, 'utf8')).toBe('kept');
  for (const one of [plain, server]) one.close();
});

function addressOf(server: Server): string {
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
