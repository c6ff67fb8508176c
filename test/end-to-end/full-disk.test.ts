// The real command on a full or read-only disk: reading works, and prune makes room.
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeEach, expect, test } from 'vitest';

import { bareEnv, createCliPlace, type CliPlace } from './cli-process.ts';

const disk = mkdtempSync(path.join(os.tmpdir(), 'rondo-full-'));
const isMounted = mounted('-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', disk);
const home = path.join(disk, 'home');
const filler = path.join(disk, 'filler');

beforeEach(() => {
  if (!isMounted) return;
  rmSync(home, { recursive: true, force: true });
  rmSync(filler, { force: true });
  mkdirSync(home, { mode: 0o700 });
});

afterAll(() => {
  if (isMounted) execFileSync('umount', [disk]);
  rmSync(disk, { recursive: true });
});

const on = (place: CliPlace, ...words: readonly string[]) =>
  place.start(words, { env: { RONDO_HOME: home } }).ended;

function fill(): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(filler, Buffer.alloc(bavail * bsize));
  expect(statfsSync(disk).bavail).toBe(0);
}

test.skipIf(!existsSync('/dev/full'))(
  '[C115] output that can’t be written ends with 1; a closed pipe changes nothing',
  async () => {
    await using place = await createCliPlace();
    const shell = (words: string, to: string) =>
      promisify(execFile)('sh', ['-c', `${place.command} ${words} ${to}; echo "code $?"`], {
        cwd: place.project,
        env: bareEnv(place),
      });
    const told = 'rondo: writing the output failed: ENOSPC: no space left on device, write\n';
    await place.rondo('run', '--agent', 'testing', 'say hi');
    for (const words of [
      'run --json --agent testing "say hi"',
      'export latest -o -',
      'ls --json',
      'show latest',
      'models',
      'doctor',
    ]) {
      const { stdout, stderr } = await shell(words, '> /dev/full');
      expect({ words, stdout, stderr }).toEqual({
        words,
        stdout: 'code 1\n',
        stderr: expect.stringContaining(told) as string,
      });
    }
    // Another code says more.
    expect(
      (
        await shell(
          'run --json --agent testing "call write {\\"path\\":\\"a\\",\\"content\\":\\"a\\"}"',
          '> /dev/full',
        )
      ).stdout,
    ).toBe('code 3\n');
    const piped = await promisify(execFile)(
      'bash',
      ['-c', `${place.command} ls --json | true; echo "code \${PIPESTATUS[0]}"`],
      {
        cwd: place.project,
        env: bareEnv(place),
      },
    );
    expect(piped).toEqual({ stdout: 'code 0\n', stderr: '' });
  },
);

test.skipIf(!isMounted)('on a full disk sessions are listed and shown, and prune removes them', async () => {
  await using place = await createCliPlace();
  expect((await on(place, 'run', '--agent', 'testing', 'say hello')).code).toBe(0);
  // Creates the reserve, as a server does too.
  expect((await on(place, 'prune', '--older-than', '30d', '--delete')).code).toBe(0);
  expect(existsSync(path.join(home, 'rondo.db-reserve'))).toBe(true);
  fill();
  expect((await on(place, 'ls')).out).toContain('say hello');
  expect((await on(place, 'show', 'latest')).out).toContain('hello');
  const dry = await on(place, 'prune', '--state', 'idle');
  expect([dry.code, dry.err]).toEqual([0, expect.stringContaining('1 session and 0 blobs would be removed')]);
  const pruned = await on(place, 'prune', '--state', 'idle', '--delete');
  expect([pruned.code, pruned.err]).toEqual([0, expect.stringContaining('1 session and 0 blobs removed')]);
  expect((await on(place, 'ls')).out).toBe('');
  expect(statfsSync(disk).bavail).toBeGreaterThan(0);
});

test.skipIf(!isMounted)('on a read-only disk sessions are listed and shown', async () => {
  await using place = await createCliPlace();
  expect((await on(place, 'run', '--agent', 'testing', 'say hello')).code).toBe(0);
  expect(mounted('-o', 'remount,ro', disk)).toBe(true);
  try {
    expect((await on(place, 'ls')).out).toContain('say hello');
    expect((await on(place, 'show', 'latest')).out).toContain('hello');
    expect((await on(place, 'run', '--agent', 'testing', 'say more')).err).toContain('it may not be written');
  } finally {
    expect(mounted('-o', 'remount,rw', disk)).toBe(true);
  }
});

function mounted(...words: readonly string[]): boolean {
  try {
    execFileSync('mount', words, { stdio: 'ignore' });
    chmodSync(disk, 0o700);
    return true;
  } catch (error) {
    return (error as { readonly code?: string }).code === 'EROFS';
  }
}
