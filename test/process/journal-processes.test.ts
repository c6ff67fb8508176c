import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, expect, it } from 'vitest';

import type { Owner } from '../../src/ports/lease.ts';
import { openSqliteStore } from '../../src/journal/sqlite/sqlite-store.ts';
import type { SqliteStoreOptions } from '../../src/journal/sqlite/sqlite-store.ts';
import { claimOf } from '../../src/testing/contracts/lease-contract.ts';
import { first, nextOf, record, recorded, request, second } from '../../src/testing/contracts/journal-samples.ts';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

it('takes the sessions of a killed process at once, and refuses what a stale owner writes [O1][P4]', async () => {
  const { store, another } = await openStore();
  const child = await another();
  expect(await child.call('leases', 'claim', first)).toMatchObject({ type: 'claimed', epoch: 1 });
  expect(await child.call('journal', 'append', request(0, [record('a')]))).toMatchObject({ seq: 1 });
  expect(await store.leases.claim(first)).toEqual({ type: 'held', owner: child.self });
  await child.kill();
  const begun = performance.now();
  const claim = await claimOf(store, first);
  print('take-over from a killed process', performance.now() - begun);
  expect([claim.epoch, claim.isUnclean]).toEqual([2, true]);
  expect(await store.journal.append(request(1, [record('b')]))).toEqual({ type: 'fenced', epoch: 2 });
  const { position } = claim;
  expect(await store.journal.append(request(1, [record('b')], { position }))).toMatchObject({ seq: 2 });
  expect(await store.journal.read(first, { after: 0 })).toEqual({ events: recorded(1, 'a', 'b'), last: 2 });
});

it('takes the sessions of a stopped process after a lease; when it wakes it learns of it and writes nothing [O5][P4]', async () => {
  const { store, another } = await openStore({ leaseMs: 1000 });
  const child = await another();
  await child.call('leases', 'claim', first);
  await child.listen('lost');
  child.process.kill('SIGSTOP');
  expect(await store.leases.claim(first)).toEqual({ type: 'held', owner: child.self });
  const begun = performance.now();
  await expect.poll(async () => (await store.leases.claim(first)).type, { interval: 100 }).toBe('claimed');
  print('take-over from a stopped process with a lease of one second', performance.now() - begun);
  child.process.kill('SIGCONT');
  expect(await child.call('journal', 'append', request(0, [record('a')]))).toEqual({ type: 'fenced', epoch: 2 });
  expect(await child.next('lost')).toEqual([first]);
});

it('hands a session over between processes [O7]', async () => {
  const { store, another } = await openStore();
  const child = await another();
  await child.call('leases', 'claim', first);
  await child.listen('hand-over');
  const released = nextOf<string>((listener) => store.leases.onReleased(listener));
  const begun = performance.now();
  await store.leases.requestHandOver(first, { withinMs: 500 });
  expect(await child.next('hand-over')).toEqual({ session: first, withinMs: 500 });
  await child.call('leases', 'release', first);
  expect(await released).toBe(first);
  expect((await claimOf(store, first)).epoch).toBe(2);
  print('hand-over from request to claim', performance.now() - begun);
});

it('wakes the owner in another process for a message and brings the answer back', async () => {
  const { store, another } = await openStore();
  const child = await another();
  await child.call('leases', 'claim', first);
  await child.listen('arrival');
  const latencies: number[] = [];
  for (let index = 1; index <= 20; index += 1) {
    const begun = performance.now();
    const id = await store.inbox.put(first, { key: `k${index}`, body: `{"n":${index}}` });
    const answer = store.inbox.answerTo(id, { timeoutMs: 5000 });
    expect(await child.next('arrival')).toBe(first);
    expect(await child.call('inbox', 'take', first)).toEqual([{ id, key: `k${index}`, body: `{"n":${index}}` }]);
    await child.call('inbox', 'withdraw', id, `done ${index}`);
    expect(await answer).toBe(`done ${index}`);
    latencies.push(performance.now() - begun);
  }
  print('message put, taken, settled and answered', latencies.toSorted((a, b) => a - b)[10] ?? 0);
});

it('keeps a message for an owner that dies before it takes it [P1]', async () => {
  const { store, another } = await openStore();
  const child = await another();
  await child.call('leases', 'claim', first);
  const id = await store.inbox.put(first, { key: 'k', body: '{}' });
  await child.kill();
  await store.leases.claim(first);
  expect(await store.inbox.take(first)).toEqual([{ id, key: 'k', body: '{}' }]);
});

it.each(['sockets', 'polling'] as const)('tells of commits in another process by %s [C97]', async (how) => {
  // A folder that can't be created simulates a system without sockets.
  const { store, another } = await openStore(how === 'polling' ? { socketFolder: '/dev/null/none' } : {});
  const child = await another();
  const seen: unknown[] = [];
  store.journal.onCommit((commit) => seen.push(commit));
  await store.journal.append(request(0, [record('mine')], { session: second }));
  const begun = performance.now();
  await child.call('journal', 'append', request(0, [record('a', 'b')]));
  await expect
    .poll(() => seen, { timeout: 5000, interval: 1 })
    .toEqual([
      { session: second, seq: 1 },
      { session: first, seq: 2 },
    ]);
  print(`first commit of another process seen by ${how}`, performance.now() - begun);
  // A process opens sockets once it has run for a while.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const again = performance.now();
  await child.call('journal', 'append', request(2, [record('c')]));
  await expect.poll(() => seen.length, { timeout: 5000, interval: 1 }).toBe(3);
  print(`next commit of another process seen by ${how}`, performance.now() - again);
});

it('carries progress from one process to the other', async () => {
  const { store, another } = await openStore();
  const child = await another();
  await child.listen('topic', 'progress');
  const heard = child.next('topic');
  const probing = setInterval(() => store.bus.publish('progress', 'a word'), 10);
  expect(await heard).toBe('a word');
  clearInterval(probing);
});

it('leaves no socket behind, and clears away those of killed processes', async () => {
  const socketFolder = path.join(await newFolder(), 'sockets');
  const { store, another } = await openStore({ socketFolder });
  const child = await another();
  await child.listen('topic', 'anything');
  const sockets = () => readdir(socketFolder).catch(() => []);
  await expect.poll(sockets).toEqual([`${child.self.id}.sock`]);
  await child.kill();
  expect(await sockets()).toEqual([`${child.self.id}.sock`]);
  store.bus.subscribe('anything', () => undefined);
  await expect.poll(sockets).toEqual([`${store.leases.self.id}.sock`]);
  await store[Symbol.asyncDispose]();
  await expect.poll(sockets).toEqual([]);
});

it('frees the store from a process that was stopped inside a commit, after a lease [O5]', async () => {
  const { store, another, file } = await openStore({ leaseMs: 1500, busyTimeoutMs: 300 });
  await store.journal.append(request(0, [record('a')]));
  const child = await another();
  await child.call('events', 'lock', file);
  child.process.kill('SIGSTOP');
  // One write waits for it, however short the time it waits for locks.
  expect(await store.journal.append(request(1, [record('b')]))).toMatchObject({ type: 'appended', seq: 2 });
  expect(child.process.signalCode ?? (await once(child.process, 'exit'))).toBeTruthy();
});

it('leaves a process alone that holds the lock and runs [O5]', async () => {
  const { store, another, file } = await openStore({ leaseMs: 300, busyTimeoutMs: 100 });
  await store.journal.append(request(0, [record('a')]));
  const child = await another();
  await child.call('events', 'lock', file);
  for (let round = 0; round < 5; round += 1) {
    await expect(store.journal.append(request(1, [record('b')]))).rejects.toMatchObject({ code: 'busy' });
  }
  expect(child.process.exitCode).toBeNull();
});

interface Child {
  readonly process: ChildProcess;
  readonly self: Owner;
  call(port: string, method: string, ...given: readonly unknown[]): Promise<unknown>;
  listen(event: string, topic?: string): Promise<unknown>;
  /** The oldest unread value reported under this name. */
  next(name: string): Promise<unknown>;
  kill(): Promise<void>;
}

async function openStore(options: Partial<SqliteStoreOptions> = {}) {
  const file = path.join(await newFolder(), 'store.db');
  const store = await openSqliteStore({ path: file, ...options });
  cleanUps.push(async () => store[Symbol.asyncDispose]());
  return { store, file, another: () => startChild(file, options) };
}

async function startChild(file: string, options: Partial<SqliteStoreOptions>): Promise<Child> {
  const { socketFolder, leaseMs = 15_000 } = options;
  const given = [file, 'serve', '0', ...(socketFolder === undefined ? [] : [socketFolder])];
  const child = fork(path.join(import.meta.dirname, 'journal-child.ts'), given, {
    execArgv: [],
    env: { ...process.env, RONDO_TEST_LEASE_MS: String(leaseMs) },
  });
  const exited = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  cleanUps.push(kill);
  const answers = new Map<number, (value: unknown) => void>();
  const told: { readonly name: string; readonly value: unknown }[] = [];
  const waiting: { readonly name: string; readonly resolve: (value: unknown) => void }[] = [];
  child.on('message', (message: { id?: number; name?: string; value: unknown }) => {
    if (message.id !== undefined) return answers.get(message.id)?.(message.value);
    const index = waiting.findIndex(({ name }) => name === message.name);
    if (index === -1) told.push({ name: message.name ?? '', value: message.value });
    else waiting.splice(index, 1)[0]?.resolve(message.value);
    return undefined;
  });
  const next = (name: string) => {
    const index = told.findIndex((one) => one.name === name);
    if (index !== -1) return Promise.resolve(told.splice(index, 1)[0]?.value);
    return new Promise<unknown>((resolve) => waiting.push({ name, resolve }));
  };
  let calls = 0;
  const call = (port: string, method: string, ...given: readonly unknown[]) => {
    calls += 1;
    const id = calls;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    answers.set(id, resolve);
    child.send({ id, port, method, given });
    return promise;
  };
  const self = (await next('ready')) as Owner;
  return { process: child, self, call, listen: (event, topic = '') => call('events', event, topic), next, kill };
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-two-'));
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function print(what: string, ms: number): void {
  process.stdout.write(`${what}: ${ms.toFixed(1)} ms\n`);
}
