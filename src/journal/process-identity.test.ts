import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect, it } from 'vitest';

import { isDead, isSameMachine, ownIdentity } from './process-identity.ts';

it('knows itself as running', () => {
  const self = ownIdentity();
  expect(self.pid).toBe(process.pid);
  expect(ownIdentity()).toEqual(self);
  expect(isDead(self, self)).toBe(false);
});

it('takes a process with the same pid that started at another time for a dead one', () => {
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

it('takes a process that ended for dead', async () => {
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  await once(child, 'exit');
  const self = ownIdentity();
  expect(isDead({ ...self, pid: child.pid ?? 0 }, self)).toBe(true);
});
