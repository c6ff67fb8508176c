// Ctrl+Z on the real command: it releases its session before it stops, and continues afterwards.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { createCliPlace, type CliPlace, type Running } from './cli-process.ts';

const stateOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.[0];

/**
 * Starts a run or chat whose command writes stamps until it is ended, sends SIGTSTP, and waits until it has
 * stopped.
 */
async function suspended(place: CliPlace, start: (prompt: string) => Running) {
  const file = path.join(place.project, 'stamps');
  const stamps = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const command = `while :; do date +%s%N >> ${file}; sleep 0.05; done`;
  const prompt = `call shell ${JSON.stringify({ command, unconfined: true })}\nsay it was interrupted`;
  const run = start(prompt);
  await expect.poll(stamps).not.toBe('');
  const { pid = 0 } = run.child;
  process.kill(pid, 'SIGTSTP');
  await expect.poll(() => stateOf(pid), { timeout: 15_000 }).toBe('T');
  const before = stamps();
  await sleep(300);
  expect(stamps()).toBe(before);
  return { run, pid, stamps };
}

const suspendedRun = (place: CliPlace) =>
  suspended(place, (prompt) => place.start(['run', '--agent', 'testing', '--auto-approve', prompt]));

test('[O5] [O7] a run that gets SIGTSTP ends its tools, stops, and continues its turn after SIGCONT', async () => {
  await using place = await createCliPlace();
  const { run, pid, stamps } = await suspendedRun(place);
  const before = stamps();
  process.kill(pid, 'SIGCONT');
  const { code, out, err } = await run.ended;
  expect([code, out]).toEqual([0, 'it was interrupted\n']);
  expect(place.masked(err)).toContain('Resuming session ses_X.');
  expect(stamps()).toBe(before);
});

test('[O5] [O7] another process continues the session of a suspended run at once, and the run shows how it ended', async () => {
  await using place = await createCliPlace();
  const { run, pid } = await suspendedRun(place);
  const started = performance.now();
  const next = await place.rondo('run', '--session', 'latest');
  expect([next.code, next.out]).toEqual([0, 'it was interrupted\n']);
  // A lease lasts 15 s: nobody waited for it to expire.
  expect(performance.now() - started).toBeLessThan(12_000);
  process.kill(pid, 'SIGCONT');
  const { code, out } = await run.ended;
  expect([code, out]).toEqual([0, 'it was interrupted\n']);
});

test('[O5] [O7] a chat that gets SIGTSTP ends its tools, stops, and continues its turn after SIGCONT', async () => {
  await using place = await createCliPlace();
  const { run, pid } = await suspended(place, (prompt) =>
    place.start(['chat', '--agent', 'testing', prompt], { stdin: 'y\n' }),
  );
  process.kill(pid, 'SIGCONT');
  const { code, out } = await run.ended;
  expect([code, out.trimEnd().split('\n').at(-1)]).toEqual([0, 'it was interrupted']);
});
