import { spawn } from 'node:child_process';
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { childEnvironment } from '../../src/processes/child-environment.ts';
import { type ChildRun, runChild, spawnTree } from '../../src/processes/child-process.ts';
import { killMarked, killTree } from '../../src/processes/kill-tree.ts';
import { KEEPER_VARIABLE, openProcessTable } from '../../src/processes/process-table.ts';
import { isRunning, processesWith } from '../running-processes.ts';

let folder = '';
let effects = 0;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rondo-children-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a child process tree', () => {
  test('C31: sleeping beyond the limit leaves no process', async () => {
    const request = bash('echo begun; sleep 60 & sleep 60', { timeoutMs: 3_000 });
    const result = await runChild(request);
    expect(result.outcome).toEqual({ type: 'timed-out' });
    expect(result.stdout.text).toBe('begun\n');
    expect(result.killed.every(({ gone }) => gone)).toBe(true);
    expect(await marked(request)).toEqual([]);
  });

  test('P6: a double-forked grandchild in its own session is killed with it', async () => {
    const pidFile = path.join(folder, 'grandchild');
    const request = bash(
      `(setsid bash -c 'echo $$ > ${pidFile}; exec sleep 60' &) ; while [ ! -s ${pidFile} ]; do sleep 0.02; done; sleep 60`,
      {
        timeoutMs: 5_000,
      },
    );
    const result = await runChild(request);
    const pid = Number(await readFile(pidFile, 'utf8'));
    expect(result.killed.map((one) => one.pid)).toContain(pid);
    expect(await isRunning(pid)).toBe(false);
  });

  test('P6: a command that is cancelled while it is being started never starts', async () => {
    const mark = path.join(folder, 'started');
    const controller = new AbortController();
    const running = runChild(bash(`touch ${mark}`, { signal: controller.signal }));
    controller.abort();
    expect((await running).outcome).toEqual({ type: 'cancelled' });
    await expect(access(mark)).rejects.toThrow('ENOENT');
  });

  test.skipIf(process.platform !== 'linux')(
    'P10: is looked for among younger processes only while it is young itself',
    async () => {
      const mark = `test.${process.pid}`;
      const [older, group] = await inOrder(mark);
      expect((await killTree({ group, mark, ageMs: 0 })).map(({ pid }) => pid)).toEqual([group]);
      expect((await killTree({ group, mark, ageMs: 60_000 })).map(({ pid }) => pid)).toEqual([older]);
    },
  );

  test('P6: a process that ignores SIGTERM is killed all the same', async () => {
    const controller = new AbortController();
    const request = bash('trap "" TERM; echo ready; while true; do sleep 0.1; done', {
      signal: controller.signal,
      graceMs: 300,
    });
    const settled = runChild({ ...request, onOutput: () => controller.abort() });
    const result = await settled;
    expect(result.outcome).toEqual({ type: 'cancelled' });
    expect(result.killed.some(({ signal }) => signal === 'SIGKILL')).toBe(true);
    expect(await marked(request)).toEqual([]);
  });

  test('P6: a descendant that threw its environment away is killed through its parents', async () => {
    const pidFile = path.join(folder, 'bare');
    const request = bash(`env -i /usr/bin/setsid --wait /bin/bash -c 'echo $$ > ${pidFile}; exec /bin/sleep 60'`, {
      timeoutMs: 3_000,
    });
    await runChild(request);
    expect(await isRunning(Number(await readFile(pidFile, 'utf8')))).toBe(false);
  });

  test('what a finished command left in the background is ended and named', async () => {
    const request = bash('sleep 60 & echo done');
    const result = await runChild(request);
    expect(result.outcome).toEqual({ type: 'exited', code: 0 });
    expect(result.stdout.text).toBe('done\n');
    expect(result.killed).toHaveLength(1);
    expect(await marked(request)).toEqual([]);
  });

  test('streams are kept apart and the exit code is reported', async () => {
    const result = await runChild(bash('echo out; echo err >&2; exit 3'));
    expect(result).toEqual({
      outcome: { type: 'exited', code: 3 },
      stdout: { text: 'out\n', bytes: 4, truncated: false },
      stderr: { text: 'err\n', bytes: 4, truncated: false },
      killed: [],
    });
  });

  test('C31: output beyond the cap is drained, and both its ends are kept', async () => {
    const result = await runChild(
      bash('echo BEGIN; head -c 5000000 /dev/zero | tr "\\0" x; echo; echo END', { outputBytes: 10_000 }),
    );
    expect(result.stdout.bytes).toBe(5_000_011);
    expect(result.stdout.truncated).toBe(true);
    expect(result.stdout.text.length).toBeLessThan(10_200);
    expect(result.stdout.text).toMatch(/^BEGIN\n[^]*left out[^]*END\n$/);
  });

  test('a child gets the environment it was given and nothing else', async () => {
    const environment = childEnvironment(
      { PATH: process.env['PATH'], ANTHROPIC_API_KEY: 'sk-very-secret', LC_ALL: 'C', EXTRA: 'e' },
      { allow: ['EXTRA'] },
    );
    const result = await runChild({ ...bash('env'), environment });
    const names = result.stdout.text.split('\n').map((line) => line.split('=')[0]);
    expect(names).toContain('EXTRA');
    expect(names).toContain('LC_ALL');
    expect(names).toContain('RONDO_SESSION');
    expect(names).not.toContain('ANTHROPIC_API_KEY');
  });

  test('C31: a child bash does not read the ~/.bashrc of the person, also where this process has no SHLVL', async () => {
    await writeFile(path.join(folder, '.bashrc'), 'echo from-bashrc; exit 9\n');
    const environment = childEnvironment({ PATH: process.env['PATH'], HOME: folder });
    const result = await runChild({ ...bash('echo mine'), environment });
    expect({ outcome: result.outcome, text: result.stdout.text }).toEqual({
      outcome: { type: 'exited', code: 0 },
      text: 'mine\n',
    });
  });

  test('a program that is not there, and a folder that is not there, are outcomes', async () => {
    expect((await runChild({ ...bash(''), command: 'rondo-no-such-program' })).outcome).toMatchObject({
      type: 'not-started',
      code: 'ENOENT',
    });
    expect((await runChild({ ...bash('true'), cwd: '/rondo/nowhere' })).outcome).toMatchObject({
      type: 'not-started',
    });
  });

  test('input reaches the child, and a child that reads none harms nobody', async () => {
    expect((await runChild({ ...bash('cat'), input: 'given' })).stdout.text).toBe('given');
    expect((await runChild({ ...bash('true'), input: 'x'.repeat(1_000_000) })).outcome).toEqual({
      type: 'exited',
      code: 0,
    });
  });
});

describe('orphans', () => {
  test('P6: processes of a crashed owner are found by session, ended and reported', async () => {
    const script = path.join(folder, 'owner.sh');
    await writeFile(script, 'setsid sleep 61 & setsid sleep 62 & disown -a; exit 0\n');
    const session = `ses_orphans_${process.pid}`;
    const owner = spawn('bash', [script], {
      env: { PATH: process.env['PATH'], RONDO_SESSION: session },
      detached: true,
      stdio: 'ignore',
    });
    await new Promise((resolve) => owner.on('exit', resolve));
    await sleep(500);
    const killed = await killMarked({ session });
    expect(killed).toHaveLength(2);
    expect(killed.every(({ gone }) => gone)).toBe(true);
    expect(await killMarked({ session })).toEqual([]);
  });

  test('O7: one tree is ended and another of the same effect is not: its next attempt, here or elsewhere', async () => {
    const request = bash('setsid sleep 60 & sleep 60 & wait');
    const trees = [await spawnTree(request), await spawnTree(request)] as const;
    await expect.poll(async () => (await marked(request)).length, { timeout: 10_000 }).toBe(6);
    await trees[0].kill();
    expect((await marked(request)).length).toBe(3);
    await trees[1].kill();
    expect(await marked(request)).toEqual([]);
  });

  test('O6: clean-up ends older epochs, also of releases that knew none, and spares newer ones', async () => {
    const session = `ses_epochs_${process.pid}`;
    const at = (epoch: number): ChildRun => ({ ...bash('sleep 60'), marker: { session, epoch } });
    const trees = await Promise.all([1, 2, 3].map((epoch) => spawnTree(at(epoch))));
    const unnumbered = spawn('sleep', ['60'], {
      env: { ...process.env, RONDO_SESSION: session },
      stdio: 'ignore',
    });
    const killed = await killMarked({ session, below: 2 });
    expect(new Set(killed.map(({ pid }) => pid))).toEqual(new Set([trees[0]?.child.pid, unnumbered.pid]));
    expect(new Set(await processesWith('RONDO_SESSION', session))).toEqual(
      new Set([trees[1]?.child.pid, trees[2]?.child.pid]),
    );
    await Promise.all(trees.map((tree) => tree.kill()));
  });

  test('this process and its ancestors are never among the victims, though they carry the marker', async () => {
    const session = `ses_self_${process.pid}`;
    const script = `
      const { killMarked } = await import(${JSON.stringify(new URL('../../src/processes/kill-tree.ts', import.meta.url).href)});
      const killed = await killMarked({ session: ${JSON.stringify(session)} });
      console.log('alive', killed.length);`;
    const request = {
      ...bash(''),
      command: process.execPath,
      args: ['--input-type=module', '-e', script],
      marker: { session, epoch: 1 },
    };
    expect((await runChild(request)).stdout.text).toBe('alive 0\n');
  });

  test('a table of later processes leaves out earlier ones, unless pids wrapped around', async () => {
    const mark = `table.${process.pid}`;
    const [older, pid] = await inOrder(mark);
    const younger = await openProcessTable({ after: pid });
    expect([younger.find(pid)?.pid, younger.find(older)]).toEqual([pid, undefined]);
    expect((await openProcessTable({ after: 2 ** 30 })).find(older)?.pid).toBe(older);
    await killTree({ group: pid, mark, ageMs: Infinity });
  });

  test('ps tells the same as /proc', async () => {
    const request = bash('sleep 60');
    const tree = await spawnTree(request);
    await expect.poll(() => marked(request), { timeout: 10_000 }).not.toEqual([]);
    const { pid = 0 } = tree.child;
    const viaPs = await openProcessTable({ platform: 'darwin' });
    expect(viaPs.find(pid)).toMatchObject({ pid, parent: process.pid, group: pid });
    expect(viaPs.hasVariable(pid, 'RONDO_EFFECT', request.marker.effect ?? '')).toBe(true);
    expect(viaPs.hasVariable(pid, 'RONDO_EFFECT', `${request.marker.effect}0`)).toBe(false);
    await tree.kill();
  });
});

/** Two processes with this mark, each in a group of its own. Pids wrap around; the second one has the higher one. */
async function inOrder(mark: string): Promise<readonly [older: number, younger: number]> {
  const [older = 0, younger = 0] = [1, 2].map(() => {
    const env = { PATH: process.env['PATH'], [KEEPER_VARIABLE]: mark };
    return spawn('sleep', ['60'], { env, stdio: 'ignore', detached: true }).pid;
  });
  if (older < younger) return [older, younger];
  await killTree({ group: older, mark, ageMs: Infinity });
  return inOrder(mark);
}

function bash(script: string, limits: Partial<ChildRun> = {}): ChildRun {
  effects += 1;
  return {
    command: 'bash',
    args: ['-c', script],
    cwd: folder,
    environment: childEnvironment(process.env),
    marker: { session: 'ses_children', epoch: 1, effect: `ses_children.${process.pid}.${effects}` },
    signal: new AbortController().signal,
    timeoutMs: 10_000,
    outputBytes: 100_000,
    graceMs: 500,
    ...limits,
  };
}

function marked({ marker }: ChildRun): Promise<readonly number[]> {
  return processesWith('RONDO_EFFECT', marker.effect ?? '');
}
