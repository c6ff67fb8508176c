import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect, it } from 'vitest';

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
