import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { openSqliteStore } from '../journal/sqlite/sqlite-store.ts';
import { Fault } from '../kernel/fault.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { Store } from '../ports/store.ts';
import { createTestingModel } from '../models/testing-model.ts';
import { createRondo, type Rondo } from '../rondo.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { testTool } from '../testing/test-tool.ts';
import { keepRetention, type RetentionReport } from './keep-retention.ts';
import { removeSession } from './remove-session.ts';
import { candidatesFor, retire } from './retention.ts';
import { sweepBlobs } from './sweep-blobs.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-retention-'));
});
afterAll(() => rm(folder, { recursive: true }));

const hour = 3_600_000;
let stores = 0;
async function place() {
  stores += 1;
  const file = path.join(folder, `store-${stores}.db`);
  const store = await openSqliteStore({ path: file });
  const clock = createFakeClock();
  const open = () =>
    createRondo({
      store,
      clock,
      agents: { testing: { model: 'testing' } },
      models: { testing: createTestingModel() },
      tools: [
        testTool('look', () => 'seen '.repeat(2000)),
        testTool('touch', () => 'touched', { access: 'write', repeat: 'never' }),
      ],
    });
  return { file, store, clock, rondo: await open() };
}

async function idle(rondo: Rondo, text = 'say hello', more = {}) {
  const session = await rondo.sessions.create({ agent: 'testing', ...more });
  await session.chat(text);
  await session.close();
  return session.id;
}

test('[C120] keeps sessions with open work, an open question, a queued prompt, a letter or a fork', async () => {
  const { store, clock, rondo } = await place();
  await using _ = rondo;
  const free = await idle(rondo);
  const asked = await idle(rondo, 'call touch {}');
  const running = await rondo.sessions.create({ agent: 'testing' });
  await running.send({ type: 'chat', text: 'hang', delivery: 'queue' });
  const paused = await rondo.sessions.create({ agent: 'testing' });
  await paused.send({ type: 'chat', text: 'hang', delivery: 'queue' });
  await paused.send({ type: 'chat', text: 'say later', delivery: 'queue' });
  await paused.interrupt();
  await paused.wait();
  const forked = await idle(rondo);
  const origin = { session: forked, at: 3, context: { from: 1, messages: 0, tokens: 0 } };
  const event = JSON.stringify({ type: 'session-forked', origin });
  const fork = { at: 1, by: { type: 'person', name: 'Ada' }, events: [event] } as const;
  const { session, position } = store.leases.create('ses_fork' as SessionId);
  await store.journal.append({ session, position, expected: 0, records: [fork] });
  const lettered = await idle(rondo);
  await store.inbox.put(lettered, { key: 'k', body: '{}' });
  const parent = await idle(rondo);
  const child = await idle(rondo, 'call touch {}', { parent });
  const states = ['idle', 'running', 'waiting', 'closed'] as const;
  const candidates = await candidatesFor({ store, clock }, { states });
  const stays = Object.fromEntries(candidates.map(({ entry, stays: why }) => [entry.session, why]));
  expect(stays).toEqual({
    [free]: undefined,
    [asked]: 'a turn is running',
    [running.id]: 'a turn is running',
    [paused.id]: 'prompts are queued',
    [forked]: 'ses_fork was forked from it',
    [lettered]: 'an input is pending',
    [parent]: 'a turn is running',
  });
  for (const candidate of candidates) {
    const removal = await retire({ store, clock }, candidate, { type: 'delete' });
    expect([candidate.entry.session, removal.type]).toEqual([
      candidate.entry.session,
      candidate.entry.session === free ? 'removed' : 'kept',
    ]);
  }
  expect((await store.upkeep.sessions()).includes(child)).toBe(true);
  await running.interrupt();
});

test('[C120] [C122] archiving removes a session with its sub-agents, and importing restores its history', async () => {
  const { store, clock, rondo } = await place();
  await using _ = rondo;
  const parent = await idle(rondo, 'call look {}\nsay seen', { title: 'Archive me' });
  const child = await idle(rondo, 'say child', { parent });
  const other = await idle(rondo, 'say other');
  const before = await Promise.all(
    [parent, child].map((id) => store.upkeep.records(id, { after: 0, limit: 999 })),
  );
  await clock.advance(10 * 86_400_000);
  const young = await idle(rondo, 'say young');
  const archive = path.join(folder, 'archive');
  const candidates = await candidatesFor({ store, clock }, { olderThanMs: 5 * 86_400_000 });
  expect(candidates.map(({ entry, family }) => [entry.session, family])).toEqual(
    expect.arrayContaining([
      [parent, [parent, child]],
      [other, [other]],
    ]),
  );
  expect(candidates).toHaveLength(2);
  for (const candidate of candidates)
    await retire({ store, clock }, candidate, { type: 'archive', folder: archive });
  expect(await store.upkeep.sessions()).toEqual([young]);
  expect((await readdir(archive)).toSorted()).toEqual([`${other}.rondo`, `${parent}.rondo`].toSorted());
  await expect(rondo.sessions.open(parent)).rejects.toThrow('Unknown session');
  await rondo.sessions.import(path.join(archive, `${parent}.rondo`));
  const after = await Promise.all([parent, child].map((id) => store.upkeep.records(id, { after: 0, limit: 999 })));
  expect(after.map((records) => records.slice(0, -1))).toEqual(before);
  expect((await store.upkeep.shown(parent))?.entry).toMatchObject({ title: 'Archive me', isForeign: true });
  const again = await rondo.sessions.continue(parent, { agent: 'testing' });
  expect((await again.chat('say back')).text).toBe('back');
});

test('[C122] delete refuses what is open and says why; what is idle goes permanently', async () => {
  const { rondo } = await place();
  await using _ = rondo;
  const asked = await idle(rondo, 'call touch {}');
  await expect(rondo.sessions.delete(asked)).rejects.toThrow(
    `Can't delete session ${asked}: ${asked} stays, because a turn is running. Nothing was deleted; end that first.`,
  );
  const session = await rondo.sessions.create({ agent: 'testing' });
  await session.chat('say hello');
  expect(await rondo.sessions.delete(session.id)).toEqual([session.id]);
  expect(await rondo.sessions.get(session.id)).toBeUndefined();
});

test('[C120] a session that another process keeps asleep is handed over and goes', async () => {
  const { file, store, clock, rondo } = await place();
  await using _ = rondo;
  const session = await rondo.sessions.create({ agent: 'testing' });
  await session.chat('say hello');
  await clock.advance(120_000);
  await using other = await openSqliteStore({ path: file });
  const wall = {
    now: () => Date.now(),
    at: (time: number, call: () => void) => {
      const timer = setTimeout(call, time - Date.now());
      return () => clearTimeout(timer);
    },
  };
  const [candidate] = await candidatesFor({ store: other, clock: wall }, {});
  const removal = candidate && (await retire({ store: other, clock: wall }, candidate, { type: 'delete' }));
  expect(removal).toEqual({ type: 'removed', sessions: [session.id] });
  expect(await store.upkeep.sessions()).toEqual([]);
});

test('[C120] [O10] deletes blobs a day after the last reference', async () => {
  const { store, clock, rondo } = await place();
  await using _ = rondo;
  const kept = await idle(rondo, 'call look {}\nsay seen');
  const long = await idle(rondo, `say ${'much '.repeat(3000)}`);
  const sweep = (days: number, more = {}) =>
    sweepBlobs(store, { now: Date.now() + days * 24 * hour, uptime: days * 24 * hour, ...more });
  expect((await store.upkeep.blobsOf(long)).length).toBe(2);
  expect(await sweep(0)).toEqual({ blobs: 0, bytes: 0, waiting: 0 });
  const candidate = (await candidatesFor({ store, clock }, {})).find(({ entry }) => entry.session === long);
  if (candidate !== undefined) await retire({ store, clock }, candidate, { type: 'delete' });
  expect(await sweep(0)).toEqual({ blobs: 0, bytes: 0, waiting: 2 });
  expect(await sweep(1, { isDry: true })).toMatchObject({ blobs: 2, waiting: 0 });
  expect(await sweep(1)).toMatchObject({ blobs: 2, waiting: 0 });
  const left = await Array.fromAsync(store.blobs.list(), ({ hash }) => hash);
  expect(left).toEqual(await store.upkeep.blobsOf(kept));
});

test('[C120] a server lets go once a day what the rule says', async () => {
  const { store, clock, rondo } = await place();
  await using _ = rondo;
  await idle(rondo);
  const reports: RetentionReport[] = [];
  const listeners: (() => void)[] = [];
  const next = () => new Promise<void>((resolve) => listeners.push(resolve));
  const stop = keepRetention({
    store,
    clock,
    rule: { olderThanMs: 3_600_000 },
    action: { type: 'delete' },
    uptime: () => clock.ticks(),
    onReport(report) {
      reports.push(report);
      listeners.shift()?.();
    },
    onProblem: (error) => expect.unreachable(String(error)),
  });
  const first = next();
  await clock.advance(60_000);
  await first;
  const second = next();
  await clock.advance(86_400_000);
  await second;
  stop();
  const nothing = { blobs: 0, bytes: 0, waiting: 0 };
  expect(reports).toEqual([
    { gone: 0, kept: 0, blobs: nothing },
    { gone: 1, kept: 0, blobs: nothing },
  ]);
  expect(await store.upkeep.sessions()).toEqual([]);
});

test('[C120] by a clock that was set ahead by weeks nothing is let go before the next look, nor by one set back', async () => {
  const { store, clock, rondo } = await place();
  await using _ = rondo;
  await idle(rondo);
  const notices: unknown[] = [];
  const stop = keepRetention({
    store,
    clock,
    rule: { olderThanMs: 7 * 24 * hour },
    action: { type: 'delete' },
    uptime: () => clock.ticks(),
    onReport: ({ gone }) => notices.push(gone),
    onProblem: (error) => notices.push((error as Error).message),
  });
  const looked = async (times: number) => {
    await expect.poll(() => notices.length).toBe(times);
  };
  clock.set(30 * 24 * hour);
  await clock.advance(60_000);
  await looked(1);
  // A person noticed and corrected the clock.
  clock.set(-30 * 24 * hour);
  await clock.advance(24 * hour);
  await looked(2);
  clock.set(-300 * 24 * hour);
  await clock.advance(24 * hour);
  await looked(3);
  clock.set(300 * 24 * hour);
  await clock.advance(24 * hour);
  await looked(4);
  // After a day, the new time is accepted.
  for (let times = 5; times <= 10; times += 1) {
    await clock.advance(24 * hour);
    await looked(times);
  }
  stop();
  const postponed = (days: string) =>
    `The clock was set ahead by ${days}; nothing is removed before tomorrow’s check.`;
  expect(notices).toEqual([postponed('30d'), 0, 0, postponed('300d'), 0, 0, 0, 1, 0, 0]);
});

test('[C120] [O10] a sweep between a blob and the record that names it takes no content from a session', async () => {
  const { store, rondo, file } = await place();
  await using _ = rondo;
  await using other = await openSqliteStore({ path: file });
  let days = 0;
  let deleted = 0;
  const sweeping = {
    ...store,
    journal: {
      ...store.journal,
      append: async (...given: Parameters<typeof store.journal.append>) => {
        // For each append, two sweeps run a day apart.
        const isFirst = !given[0].records.some(({ events }) => events.some((event) => seen.has(event)));
        for (const { events } of given[0].records) for (const event of events) seen.add(event);
        for (let sweeps = 0; isFirst && sweeps < 2; sweeps += 1) {
          days += 1;
          const now = Date.now() + days * 24 * hour;
          deleted += (await other.upkeep.sweepBlobs({ now, uptime: days * 24 * hour })).blobs;
        }
        return store.journal.append(...given);
      },
    },
  };
  const seen = new Set<string>();
  await using between = await createRondo({
    store: { ...sweeping, [Symbol.asyncDispose]: () => Promise.resolve() },
    agents: { testing: { model: 'testing' } },
    models: { testing: createTestingModel() },
  });
  const session = await between.sessions.create({ agent: 'testing' });
  await session.chat(`say ${'much '.repeat(3000)}`);
  const named = await store.upkeep.blobsOf(session.id);
  expect(named.length).toBe(2);
  expect(deleted).toBeGreaterThanOrEqual(2);
  for (const hash of named) expect(await store.blobs.get(hash)).toContain('much much');
});

test('[O3][P4] retention leaves a session alone that is live in the same process, and its claim with it', async () => {
  const { store, clock, rondo } = await place();
  await using _ = rondo;
  const session = await rondo.sessions.create({ agent: 'testing' });
  await session.chat('say hello');
  const [candidate] = await candidatesFor({ store, clock }, {});
  if (candidate === undefined) throw new Error('Nothing may go.');
  const going = retire({ store, clock }, candidate, { type: 'delete' });
  await clock.advance(10_000);
  expect(await going).toEqual({ type: 'kept', session: session.id, why: 'it is in use' });
  expect(await store.leases.ownerOf(session.id)).toEqual(store.leases.self);
  expect(await session.chat('say still here')).toMatchObject({ text: 'still here' });
});

test('[O3] [P1] a removal that can’t read a journal fails and holds no session, whichever read it is', async () => {
  const { store, clock, rondo } = await place();
  await using _ = rondo;
  const parent = await idle(rondo);
  const child = await idle(rondo, 'say hello', { parent });
  for (let at = 1, isCut = true; isCut; at += 1) {
    let reads = 0;
    const journal: Store['journal'] = {
      ...store.journal,
      async head(session) {
        reads += 1;
        if (reads === at) throw new Fault('busy', 'The store can’t be read now.');
        return store.journal.head(session);
      },
    };
    await removeSession({ store: { ...store, journal }, clock }, parent).catch(() => undefined);
    isCut = reads >= at;
    for (const session of [parent, child])
      expect([at, session, await store.leases.ownerOf(session)]).toEqual([at, session, undefined]);
  }
  expect(await store.journal.head(parent)).toBeUndefined();
});
