// A process that is stopped (SIGSTOP) while its command runs: the command ends with the lease, another process
// takes over the session, and the two never run at the same time.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { afterEach, expect, test } from 'vitest';

const program = path.resolve(import.meta.dirname, '../fixtures/stopped-owner/main.ts');
const children: ChildProcess[] = [];
const folders: string[] = [];
afterEach(async () => {
  const running = children.splice(0).filter((child) => child.exitCode === null && child.signalCode === null);
  await Promise.all(running.map((child) => (child.kill('SIGKILL'), once(child, 'close'))));
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function place() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-stopped-'));
  folders.push(folder);
  const log = path.join(folder, 'stamps');
  const start = (role: 'owner' | 'next') => {
    const child = spawn(process.execPath, [program, path.join(folder, 'store.db'), role, log], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const lines = createInterface({ input: child.stdout });
    return { child, line: once(lines, 'line').then(([text]) => String(text)) };
  };
  const stamps = () =>
    (existsSync(log) ? readFileSync(log, 'utf8') : '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [name = '', epoch = '', at = '0'] = line.split(' ');
        return { name, epoch, at: BigInt(at) };
      });
  return { start, stamps };
}

test.each(['SIGSTOP', 'SIGKILL'] as const)(
  '[O5][O6][O7][P2] what an owner ran that got %s ends before its successor runs anything, and is reported as interrupted',
  async (signal) => {
    const { start, stamps } = await place();
    const owner = start('owner');
    const id = await owner.line;
    await expect.poll(() => stamps().length).toBeGreaterThan(3);
    owner.child.kill(signal);
    const next = start('next');
    expect(JSON.parse(await next.line)).toEqual({
      id,
      taken: 'interrupted',
      outcome: 'completed',
      text: 'done',
    });
    const all = stamps();
    const loop = all.filter(({ name }) => name === 'loop');
    const after = all.filter(({ name }) => name === 'after');
    expect(new Set(loop.map(({ epoch }) => epoch))).toEqual(new Set(['1']));
    expect(after.map(({ epoch }) => epoch)).toEqual(['2']);
    expect(loop.every(({ at }) => at < (after[0]?.at ?? 0n))).toBe(true);
    // Nothing keeps running, even when the stopped owner continues.
    owner.child.kill('SIGCONT');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(stamps()).toEqual(all);
  },
);
