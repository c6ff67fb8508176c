import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect, it, onTestFinished } from 'vitest';

import { temporaryFolder } from '../testing/temporary-folder.ts';
import { isDead, isSameMachine, ownIdentity } from './process-identity.ts';

it('knows itself as running', () => {
  const self = ownIdentity();
  expect(self.pid).toBe(process.pid);
  expect(ownIdentity()).toEqual(self);
  expect(isDead(self, self)).toBe(false);
});

it('treats a process with the same pid but another start time as dead', () => {
  const self = ownIdentity();
  expect(isDead({ ...self, startedAt: '1' }, self)).toBe(true);
});

it('says nothing about processes of another machine or boot', () => {
  const self = ownIdentity();
  const gone = { ...self, startedAt: '1' };
  expect(isDead({ ...gone, host: 'elsewhere' }, self)).toBe(false);
  expect(isDead({ ...gone, bootId: 'earlier' }, self)).toBe(false);
  expect(isSameMachine({ ...gone, host: 'elsewhere' }, self)).toBe(false);
});

it('treats an ended process as dead', async () => {
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  await once(child, 'exit');
  const self = ownIdentity();
  expect(isDead({ ...self, pid: child.pid ?? 0 }, self)).toBe(true);
});

it('[O5] [P4] treats a process that the system hides from this user as running', async ({ skip }) => {
  // Another user's process, seen by one who may not look at it.
  const hidden = spawn('setpriv', ['--reuid=65534', '--clear-groups', 'sleep', '60'], { stdio: 'ignore' });
  onTestFinished(() => void hidden.kill('SIGKILL'));
  hidden.once('error', () => undefined);
  const of = (name: 'stat' | 'status') => readOrEmpty(`/proc/${hidden.pid}/${name}`);
  while (hidden.exitCode === null && hidden.pid !== undefined && !of('status').includes('Uid:\t65534'))
    await sleep(10);
  const stat = of('stat');
  const startedAt = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  const source = `import { isDead, ownIdentity } from ${JSON.stringify(path.join(import.meta.dirname, 'process-identity.ts'))};
    import { existsSync } from 'node:fs';
    const self = ownIdentity();
    const other = { ...self, pid: ${hidden.pid}, startedAt: '${startedAt}' };
    console.log(existsSync('/proc/${hidden.pid}'), isDead(other, self));`;
  const view =
    'mount -t proc -o hidepid=2 proc /proc && exec setpriv --bounding-set=-sys_ptrace --regid=65534 --clear-groups "$@"';
  const node = [process.execPath, '--input-type=module', '-e', source];
  const seen = spawnSync('unshare', ['-m', 'sh', '-c', view, 'sh', ...node], { encoding: 'utf8' });
  skip(startedAt === undefined || seen.status !== 0, 'Only root can hide processes.');
  expect(seen.stdout.trim()).toBe('false false');
});

/** Runs as on a system without `/proc`, where a script stands in for `ps`. */
async function without(platform: NodeJS.Platform, ps: string, run: () => void): Promise<void> {
  await using bin = await temporaryFolder();
  await bin.write(
    'ps',
    `#!/bin/sh\n[ "$1 $2 $3" = "-o lstart= -p" ] && [ "$LC_ALL" = C ] || exit 2\n${ps}\n`,
    0o755,
  );
  const here = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
  const { PATH } = process.env;
  Object.defineProperty(process, 'platform', { ...here, value: platform });
  process.env['PATH'] = `${bin.folder}:/bin:/usr/bin`;
  try {
    run();
  } finally {
    Object.defineProperty(process, 'platform', here);
    process.env['PATH'] = PATH;
  }
}

const startedAt = Math.round(performance.timeOrigin / 1000);
const lstart = new Date(startedAt * 1000).toString().slice(0, 24);

it('[O5] asks `ps` when a process started where there is no /proc', async () => {
  await without('darwin', `echo '  ${lstart}  '`, () => {
    const self = ownIdentity();
    expect(self).toMatchObject({ pid: process.pid, startedAt: String(startedAt) });
    const startedAround = (seconds: number) => ({ ...self, startedAt: String(startedAt + seconds) });
    const dead = [0, 3, -3, 4, -4].map((seconds) => isDead(startedAround(seconds), self));
    expect(dead).toEqual([false, false, false, true, true]);
  });
});

it.each(['exit 1', 'echo no date'])(
  '[O5] treats a process as alive if `ps` reports no start time: %s',
  async (ps) => {
    await without('darwin', ps, () => {
      const self = ownIdentity();
      expect(isDead({ ...self, startedAt: '1' }, self)).toBe(false);
    });
  },
);

it('[O5] looks only for the pid on Windows', async () => {
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  await once(child, 'exit');
  await without('win32', 'exit 1', () => {
    const self = ownIdentity();
    expect(isDead({ ...self, startedAt: '1' }, self)).toBe(false);
    expect(isDead({ ...self, pid: child.pid ?? 0 }, self)).toBe(true);
  });
});

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
