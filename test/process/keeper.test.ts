import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { describe, expect, test } from 'vitest';

import { createDeadline } from '../../src/processes/deadline.ts';
import { createKeeper } from '../../src/processes/keeper.ts';
import { isRunning, processesWith } from '../running-processes.ts';

const patience = { timeout: 10_000, interval: 20 };
let owners = 0;

/** A process that starts children on request. */
function createOwner() {
  owners += 1;
  const session = `ses_kept_${process.pid}_${owners}`;
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'keeper-child.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, 'exit');
  const ask = async (asked: object): Promise<number> => {
    child.stdin.write(`${JSON.stringify(asked)}\n`);
    return Number((await lines.next()).value);
  };
  return {
    child,
    ask,
    run: (script: string) => ask({ type: 'run', script, session }),
    keeper: () => ask({ type: 'keeper' }),
    running: () => processesWith('RONDO_SESSION', session),
    async die(): Promise<void> {
      child.kill('SIGKILL');
      await ended;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const escapes = {
  'in its group': 'sleep 600 & wait',
  'in a session of its own': 'setsid sleep 600 & sleep 600',
  'deaf to hang-ups': 'nohup sleep 600 >/dev/null 2>&1 & sleep 600',
  'forked twice': '(setsid bash -c "sleep 600 & disown; sleep 600" &); sleep 600',
  'deaf to SIGTERM': 'trap "" TERM; (setsid bash -c "trap \\"\\" TERM; sleep 600 & wait" &); sleep 600 & wait',
};

describe('children die with their owner [O6]', () => {
  test.each(Object.entries(escapes))('a grandchild %s ends when the owner is killed', async (_where, script) => {
    await using owner = createOwner();
    await owner.run(script);
    await expect.poll(async () => (await owner.running()).length, patience).toBeGreaterThan(1);
    const keeper = await owner.keeper();
    await owner.die();
    await expect.poll(owner.running, patience).toEqual([]);
    await expect.poll(() => isRunning(keeper), patience).toBe(false);
  });

  test('what threw its environment away ends with its group, and a group that is over is left alone', async () => {
    await using owner = createOwner();
    const [kept, over] = [await owner.ask({ type: 'run-unmarked' }), await owner.ask({ type: 'run-unmarked' })];
    await owner.ask({ type: 'forget', group: over });
    await owner.die();
    await expect.poll(() => isRunning(kept), patience).toBe(false);
    expect(await isRunning(over)).toBe(true);
    process.kill(over, 'SIGKILL');
  });

  test('a stopped owner loses its children at the deadline, and has a keeper again when it continues', async () => {
    await using owner = createOwner();
    await owner.ask({ type: 'extend', ms: 1_000 });
    await owner.run('setsid sleep 600 & sleep 600 & wait');
    await expect.poll(async () => (await owner.running()).length, patience).toBe(3);
    await owner.ask({ type: 'extend', ms: 2_000 });
    owner.child.kill('SIGSTOP');
    const stoppedAt = performance.now();
    await expect.poll(owner.running, patience).toEqual([]);
    expect(performance.now() - stoppedAt).toBeGreaterThan(1_000);
    owner.child.kill('SIGCONT');
    // Nothing starts before the lease is renewed: another process may run the same work.
    expect(await owner.run('sleep 600')).toBe(0);
    await owner.ask({ type: 'extend', ms: 60_000 });
    await owner.run('sleep 600');
    await expect.poll(async () => (await owner.running()).length, patience).toBe(1);
    await owner.die();
    await expect.poll(owner.running, patience).toEqual([]);
  });

  test('an owner that extends its deadline in time keeps its children', async () => {
    await using owner = createOwner();
    await owner.run('sleep 600');
    await expect.poll(async () => (await owner.running()).length, patience).toBe(1);
    for (let round = 0; round < 4; round += 1) {
      await owner.ask({ type: 'extend', ms: 2_000 });
      await new Promise((resolve) => setTimeout(resolve, 800));
    }
    expect((await owner.running()).length).toBe(1);
  });

  test('a deadline that was lifted has no effect', async () => {
    await using owner = createOwner();
    await owner.run('sleep 600');
    await expect.poll(async () => (await owner.running()).length, patience).toBe(1);
    const keeper = await owner.keeper();
    await owner.ask({ type: 'extend', ms: 1_000 });
    await owner.ask({ type: 'lift' });
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect([(await owner.running()).length, await owner.keeper()]).toEqual([1, keeper]);
  });

  test('a keeper that is killed is replaced, and its successor knows the children', async () => {
    await using owner = createOwner();
    await owner.run('setsid sleep 600 & sleep 600 & wait');
    await expect.poll(async () => (await owner.running()).length, patience).toBe(3);
    const unmarked = await owner.ask({ type: 'run-unmarked' });
    const first = await owner.keeper();
    process.kill(first, 'SIGKILL');
    await expect.poll(async () => [0, first].includes(await owner.keeper()), patience).toBe(false);
    expect((await owner.running()).length).toBe(3);
    await owner.die();
    await expect.poll(owner.running, patience).toEqual([]);
    await expect.poll(() => isRunning(unmarked), patience).toBe(false);
  });
});

describe('a keeper', () => {
  test('goes when there has been nothing to watch for a while, and harms nothing by it', async () => {
    const keeper = createKeeper({ idleMs: 50 });
    expect(await keeper.ready()).toBeUndefined();
    const pid = keeper.pid ?? 0;
    const marked = spawn('sleep', ['600'], {
      env: { ...process.env, RONDO_KEEPER: keeper.newMark() },
      stdio: 'ignore',
    });
    keeper.watch(marked.pid ?? 0);
    keeper.forget(marked.pid ?? 0);
    await expect.poll(() => isRunning(pid), patience).toBe(false);
    expect([keeper.pid, await isRunning(marked.pid ?? 0)]).toEqual([undefined, true]);
    expect(await keeper.ready()).toBeUndefined();
    expect(keeper.pid).not.toBe(pid);
    keeper.watch(marked.pid ?? 0);
    keeper.forget(marked.pid ?? 0);
    marked.kill('SIGKILL');
  });

  test('whose deadline passed ends no child that starts after the deadline was extended [O6]', async () => {
    const deadline = createDeadline();
    const keeper = createKeeper({ deadline });
    const start = async (script: string) => {
      expect(await keeper.ready()).toBeUndefined();
      const env = { ...process.env, RONDO_KEEPER: keeper.newMark() };
      const child = spawn('bash', ['-c', script], { env, stdio: 'ignore', detached: true });
      keeper.watch(child.pid ?? 0);
      return child.pid ?? 0;
    };
    const before = await start('trap "" TERM; sleep 600 & wait; sleep 600');
    deadline.extend(1_000);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    deadline.extend(60_000);
    const after = await start('sleep 600');
    await expect.poll(() => isRunning(before), patience).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await isRunning(after)).toBe(true);
    process.kill(-after, 'SIGKILL');
    keeper.forget(before);
    keeper.forget(after);
  });

  test('that cannot be started says why', async () => {
    expect(await createKeeper({ shell: '/rondo/no-shell' }).ready()).toBe(
      "Can't start /rondo/no-shell to watch over child processes: spawn /rondo/no-shell ENOENT.",
    );
  });
});
