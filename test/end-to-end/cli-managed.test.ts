// [C139] The real binary on a machine with an administrator's policy: a mount namespace gives it its own /etc.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from 'vitest';

import { rondoBinary } from '../fixtures/rondo-binary.ts';
import { createCliPlace, type CliPlace } from './cli-process.ts';

const canMount = (() => {
  try {
    execFileSync('unshare', ['-rm', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

async function managed(place: CliPlace, policy: string, ...words: readonly string[]) {
  const etc = path.join(place.home, 'etc');
  await mkdir(path.join(etc, 'rondo'), { recursive: true });
  for (const name of ['passwd', 'group', 'hosts', 'nsswitch.conf', 'ssl', 'ld.so.cache']) {
    if (existsSync(path.join('/etc', name)))
      cpSync(path.join('/etc', name), path.join(etc, name), { recursive: true, dereference: true });
  }
  await writeFile(path.join(etc, 'rondo/policy.json'), policy, { mode: 0o644 });
  const child = spawn(
    'unshare',
    ['-rm', '/bin/sh', '-c', 'mount --bind "$0" /etc && exec "$@"', etc, process.execPath, rondoBinary, ...words],
    {
      cwd: place.project,
      env: {
        PATH: process.env['PATH'],
        HOME: place.home,
        RONDO_HOME: path.join(place.home, '.rondo'),
        NO_COLOR: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

// Mounting needs user namespaces, which some machines and containers do not allow.
test.skipIf(!canMount)('[C139] flags and --auto-approve do not lift what the managed policy denies', async () => {
  await using place = await createCliPlace();
  const policy = '{ "policies": { "default": { "deny": ["shell(touch *)"] } } }';
  const ran = await managed(
    place,
    policy,
    'run',
    '--agent',
    'testing',
    '--allow',
    'shell',
    '--auto-approve',
    'call shell {"command":"touch marker"}\nsay over',
  );
  expect(existsSync(path.join(place.project, 'marker'))).toBe(false);
  expect(`${ran.out}${ran.err}`).toContain('managed');
});

test.skipIf(!canMount)('[C139] with an invalid managed policy Rondo does not start', async () => {
  await using place = await createCliPlace();
  const ran = await managed(place, '{ "policies": ', 'run', '--agent', 'testing', 'say hello');
  expect(ran.code).toBe(2);
  expect(ran.err).toContain('/etc/rondo/policy.json');
  expect(ran.out).not.toContain('hello');
});
