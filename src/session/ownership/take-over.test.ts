import { expect, test } from 'vitest';

import { createMemoryStore, type MemoryStore } from '../../journal/memory-store.ts';
import { readerVersion } from '../../journal/reader-version.ts';
import type { Store } from '../../ports/store.ts';
import type { Recorded } from '../../kernel/event.ts';
import { Fault } from '../../kernel/fault.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { SessionTools } from '../../assembly/tools/session-tools.ts';
import { createRondo, type Rondo } from '../../rondo.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { rondoOfTest } from '../../testing/rondo-of-test.ts';
import { storedTransitions } from '../../upkeep/journal-transitions.ts';
import { replay } from '../../upkeep/replay.ts';
import { testTool } from '../../testing/test-tool.ts';
import { testingAgent } from '../../testing/testing-agent.ts';

/** A process that asked for approval and was killed. */
async function killedWhileAsking(store: MemoryStore): Promise<{ id: SessionId; question: string }> {
  const first = await createRondo(testingAgent({ store, tools: [pay(() => 'paid')] }));
  const session = await first.sessions.create();
  const { questions } = await session.chat('call pay {}\nsay finished');
  store.crash();
  return { id: session.id, question: questions[0]?.id ?? '' };
}

const pay = (run: () => string | Promise<string>, repeat: 'never' | 'safe' = 'never') =>
  testTool('pay', run, { access: 'execute', repeat });

test.each(['never', 'safe'] as const)(
  '[O4][P2] an answer that comes while the orphans of a killed owner are being ended starts the tool afterwards, once (%s)',
  async (repeat) => {
    const store = createMemoryStore();
    const { id, question } = await killedWhileAsking(store);
    const order: string[] = [];
    const killed = Promise.withResolvers<void>();
    const second = await rondoOfTest(
      testingAgent({
        store: store.another(),
        tools: [pay(() => (order.push('paid'), 'paid'), repeat)],
        async killOrphans(_session, { below }) {
          order.push(`ending orphans below epoch ${below}`);
          await killed.promise;
          order.push('orphans ended');
        },
      }),
    );
    const opened = await second.sessions.open(id);
    const status = opened.status();
    await expect.poll(() => order).toEqual(['ending orphans below epoch 2']);
    const answered = opened.answer(question, { type: 'allow-once' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(order).toEqual(['ending orphans below epoch 2']);
    killed.resolve();
    await status;
    expect(await answered).toMatchObject({ type: 'accepted' });
    expect(await opened.wait()).toMatchObject({ outcome: 'completed', text: 'finished' });
    expect(order).toEqual(['ending orphans below epoch 2', 'orphans ended', 'paid']);
    const { events } = await opened.events({ after: 0 });
    const settled = events.flatMap(({ event }) => (event.type === 'tool-settled' ? [event.result.type] : []));
    expect(settled).toEqual(['success']);
  },
);

test('[O3] a late report of a lost lease leaves no claim while the session reopens', async () => {
  const store = createMemoryStore();
  const { id, question } = await killedWhileAsking(store);
  const seat = store.another();
  let report: ((lost: readonly SessionId[]) => void) | undefined;
  const leases: Store['leases'] = {
    ...seat.leases,
    onLost(listener) {
      report = listener;
      return seat.leases.onLost(listener);
    },
    async claim(session) {
      report?.([session]);
      report = undefined;
      return seat.leases.claim(session);
    },
  };
  const rondo = await rondoOfTest(testingAgent({ store: { ...seat, leases }, tools: [pay(() => 'paid')] }));
  const session = await rondo.sessions.open(id);
  expect(await session.answer(question, { type: 'allow-once' })).toMatchObject({ type: 'accepted' });
  expect(await session.wait()).toMatchObject({ outcome: 'completed', text: 'finished' });
});

test("[O4] if orphans can't be ended, the session is released as unclean and the next claim retries", async () => {
  const store = createMemoryStore();
  const { id, question } = await killedWhileAsking(store);
  let tries = 0;
  const seat = store.another();
  const second = await rondoOfTest(
    testingAgent({
      store: seat,
      tools: [pay(() => 'paid')],
      async killOrphans() {
        tries += 1;
        if (tries === 1) throw new Error('the process table could not be read');
      },
    }),
  );
  const opened = await second.sessions.open(id);
  await expect(opened.answer(question, { type: 'allow-once' })).rejects.toThrow('could not be read');
  expect(await seat.leases.ownerOf(id)).toBeUndefined();
  expect(await opened.answer(question, { type: 'allow-once' })).toMatchObject({ type: 'accepted' });
  expect(await opened.wait()).toMatchObject({ outcome: 'completed' });
  expect(tries).toBe(2);
});

test('[O7][P4] a session is handed over when its tool has ended, and the next owner continues', async () => {
  const store = createMemoryStore();
  const running = Promise.withResolvers<void>();
  const end = Promise.withResolvers<string>();
  const owner = await rondoOfTest(
    testingAgent({
      store,
      tools: [testTool('work', () => (running.resolve(), end.promise), { repeat: 'never' })],
    }),
  );
  const session = await owner.sessions.create();
  void session.chat('call work {}\nsay all done').catch(() => undefined);
  await running.promise;
  const seat = store.another();
  const released: string[] = [];
  seat.leases.onReleased((id) => released.push(id));
  await seat.leases.requestHandOver(session.id, { withinMs: 60_000 });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(released).toEqual([]);
  end.resolve('worked');
  await expect.poll(() => released).toEqual([session.id]);
  const next = await rondoOfTest(testingAgent({ store: seat }));
  const taken = await next.sessions.open(session.id);
  expect(await taken.wait()).toMatchObject({ outcome: 'completed', text: 'all done' });
  const { events } = await taken.events({ after: 0 });
  expect(events.filter(({ event }) => event.type === 'tool-settled')).toMatchObject([
    { event: { result: { type: 'success' } } },
  ]);
});

test('[O7] a request to hand over that comes while the session is opening is met once it is open', async () => {
  const store = createMemoryStore();
  const { id } = await killedWhileAsking(store);
  const opening = Promise.withResolvers<void>();
  const killed = Promise.withResolvers<void>();
  const second = await rondoOfTest(
    testingAgent({
      store: store.another(),
      async killOrphans() {
        opening.resolve();
        await killed.promise;
      },
    }),
  );
  const status = (await second.sessions.open(id)).status();
  await opening.promise;
  const seat = store.another();
  const released: string[] = [];
  seat.leases.onReleased((session) => released.push(session));
  await seat.leases.requestHandOver(id, {});
  killed.resolve();
  await status;
  await expect.poll(() => released).toEqual([id]);
});

test("[O7][P4] effects still running at a hand-over's deadline end before the session is released", async () => {
  const store = createMemoryStore();
  const clock = createFakeClock();
  const running = Promise.withResolvers<void>();
  let hasEnded = false;
  const work = testTool(
    'work',
    async (_args, { signal }) => {
      running.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      // Killing takes time.
      await new Promise((resolve) => setTimeout(resolve, 30));
      hasEnded = true;
      return { type: 'cancelled' };
    },
    { repeat: 'never' },
  );
  const owner = await rondoOfTest(testingAgent({ store, clock, tools: [work] }));
  const session = await owner.sessions.create();
  void session.chat('call work {}\nsay I looked').catch(() => undefined);
  await running.promise;
  const seat = store.another();
  const released = Promise.withResolvers<boolean>();
  seat.leases.onReleased(() => released.resolve(hasEnded));
  await seat.leases.requestHandOver(session.id, { withinMs: 500 });
  await clock.advance(499);
  expect(hasEnded).toBe(false);
  await clock.advance(1);
  expect(await released.promise).toBe(true);
  const next = await rondoOfTest(testingAgent({ store: seat, tools: [work] }));
  const taken = await next.sessions.open(session.id);
  expect(await taken.wait()).toMatchObject({ outcome: 'completed', text: 'I looked' });
  const { events } = await taken.events({ after: 0 });
  expect(events.filter(({ event }) => event.type === 'tool-settled')).toMatchObject([
    { event: { result: { type: 'error', code: 'interrupted' } } },
  ]);
});

test('[O7][P2] a session that is wanted again while it is let go opens when its old tool has ended', async () => {
  const store = createMemoryStore();
  const clock = createFakeClock();
  const order: string[] = [];
  const running = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const work = testTool(
    'work',
    async (_args, { signal }) => {
      running.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      aborted.resolve();
      // Killing takes time.
      await new Promise((resolve) => setTimeout(resolve, 30));
      order.push('tool ended');
      return { type: 'cancelled' };
    },
    { repeat: 'never' },
  );
  const onEvent = (_session: string, { event }: Recorded) => {
    if (event.type === 'tool-settled') order.push('call settled');
  };
  const owner = await rondoOfTest(testingAgent({ store, clock, tools: [work], onEvent }));
  const session = await owner.sessions.create();
  void session.chat('call work {}\nsay I looked').catch(() => undefined);
  await running.promise;
  await store.another().leases.requestHandOver(session.id, { withinMs: 500 });
  await clock.advance(500);
  await aborted.promise;
  const again = await owner.sessions.open(session.id);
  expect(await again.chat('say more')).toMatchObject({ outcome: 'completed', text: 'more' });
  expect(order).toEqual(['tool ended', 'call settled']);
});

test('[O9][P10] looking for work wakes no session that waits for a person', async () => {
  const store = createMemoryStore();
  const clock = createFakeClock();
  const rondo = await rondoOfTest(
    testingAgent({ store, clock, tools: [pay(() => 'paid')], hibernateAfterMs: 1000 }),
  );
  const session = await rondo.sessions.create();
  await session.chat('call pay {}\nsay finished');
  for (let round = 0; round < 5; round += 1) {
    await clock.advance(1000);
    expect(await rondo.adopt()).toEqual([]);
  }
  expect(await store.leases.ownerOf(session.id)).toBeUndefined();
  const again = await rondoOfTest(testingAgent({ store: store.another() }));
  expect(await again.adopt()).toEqual([]);
});

test('[O1] a session that ends each of its owners without a step forward is given up by the third', async () => {
  let store = createMemoryStore();
  let rondo = await ownerWithBomb(store);
  const session = await rondo.sessions.create();
  void session.chat('call bomb {}\nsay survived').catch(() => undefined);
  for (let owner = 2; owner <= 4; owner += 1) {
    const dying = store;
    await expect
      .poll(() => dying.another().leases.claimable({ at: 0, limit: 9 }))
      .toEqual([{ session: session.id, needs: [] }]);
    store = store.another();
    rondo = await ownerWithBomb(store);
    void rondo.adopt();
  }
  await expect
    .poll(async () => (await rondo.sessions.open(session.id)).status())
    .toMatchObject({ lifecycle: 'idle', lastEnding: { ending: { type: 'failed', code: 'crash-loop' } } });
  // Its journal tells that, too.
  const steps = await Array.fromAsync(replay(storedTransitions(store, session.id), { session: session.id }));
  expect(steps.filter(({ verdict }) => verdict.type === 'differs' || verdict.type === 'breaks')).toEqual([]);
  await rondo.close({ endWithin: 0 });
});

/** An owner whose tool ends the process. */
function ownerWithBomb(store: MemoryStore): Promise<Rondo> {
  const explode = () => {
    store.crash();
    return new Promise<never>(() => {});
  };
  return createRondo(testingAgent({ store, tools: [testTool('bomb', explode)] }));
}

test('[P3] observers cannot hurt a session: an onEvent and a telemetry that throw change nothing', async () => {
  const problems: string[] = [];
  const rondo = await rondoOfTest(
    testingAgent({
      tools: [testTool('look', () => 'seen')],
      onEvent: () => {
        throw new Error('the observer has a bug');
      },
      telemetry: {
        record: () => {
          throw new Error('no collector');
        },
      },
      logger: { log: (_level, message) => void problems.push(message) },
    }),
  );
  const session = await rondo.sessions.create();
  expect(await session.chat('call look {}\nsay fine')).toMatchObject({ outcome: 'completed', text: 'fine' });
  expect(problems).toContain('telemetry failed');
  expect(problems).toContain(`an observer of session ${session.id} failed`);
});

/** A store that another program keeps locked while `isLocked`. */
function lockable(store: Store, lock: { isLocked: boolean }): Store {
  return {
    ...store,
    journal: {
      ...store.journal,
      append(request) {
        if (lock.isLocked) return Promise.reject(new Fault('busy', 'Another program keeps the database locked.'));
        return store.journal.append(request);
      },
    },
  };
}

async function startedTool(rondo: Rondo, started: Promise<void>, prompt: string) {
  const session = await rondo.sessions.create();
  const reply = session.chat(prompt);
  await started;
  return { session, reply };
}

test('[P1] a store that is locked for longer than it waits for locks holds a session up and ends nothing', async () => {
  const clock = createFakeClock();
  const lock = { isLocked: false };
  const started = Promise.withResolvers<void>();
  const end = Promise.withResolvers<string>();
  const tools = [testTool('work', () => (started.resolve(), end.promise), { repeat: 'never' })];
  const rondo = await rondoOfTest(testingAgent({ store: lockable(createMemoryStore(), lock), clock, tools }));
  const { session, reply } = await startedTool(rondo, started.promise, 'call work {}\nsay all done');
  lock.isLocked = true;
  end.resolve('worked');
  await clock.advance(8000);
  lock.isLocked = false;
  await clock.advance(2000);
  expect(await reply).toMatchObject({ outcome: 'completed', text: 'all done' });
  const { events } = await session.events({ after: 0 });
  expect(events.filter(({ event }) => event.type === 'session-recovered')).toEqual([]);
});

test('[O5][P2] a store that is locked until the lease lapses ends what runs, at the next try to write', async () => {
  const clock = createFakeClock();
  const lock = { isLocked: false };
  const store = createMemoryStore();
  // Nobody reports the standing: the session asks for it.
  const leases: Store['leases'] = {
    ...store.leases,
    standing: () => (lock.isLocked ? 'lapsed' : 'sure'),
    onStanding: () => () => undefined,
  };
  const started = Promise.withResolvers<void>();
  let hasEnded = false;
  const work = testTool(
    'work',
    async (_args, { signal }) => {
      started.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      hasEnded = true;
      return { type: 'cancelled' };
    },
    { repeat: 'never' },
  );
  const locked = lockable({ ...store, leases }, lock);
  const rondo = await rondoOfTest(testingAgent({ store: locked, clock, tools: [work] }));
  const { session, reply } = await startedTool(rondo, started.promise, 'call work {}\nsay all done');
  reply.catch(() => undefined);
  lock.isLocked = true;
  const renamed = session.send({ type: 'title', title: 'still here' });
  await expect.poll(() => hasEnded).toBe(true);
  lock.isLocked = false;
  await clock.advance(2000);
  expect(await renamed).toMatchObject({ type: 'accepted' });
});

test('[O5][P2] an owner whose lease lapses stops its tools, and recovers its own session if nobody took it', async () => {
  const store = createMemoryStore();
  const runs: string[] = [];
  let started = Promise.withResolvers<void>();
  const work = (name: string, repeat: 'never' | 'safe') =>
    testTool(
      name,
      async (_args, { signal }) => {
        runs.push(`${name} starts`);
        started.resolve();
        if (runs.filter((run) => run === `${name} starts`).length > 1) return 'at last';
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        runs.push(`${name} stops`);
        return { type: 'cancelled' };
      },
      { repeat },
    );
  const rondo = await rondoOfTest(testingAgent({ store, tools: [work('once', 'never'), work('again', 'safe')] }));
  for (const name of ['once', 'again']) {
    started = Promise.withResolvers();
    const { session, reply } = await startedTool(rondo, started.promise, `call ${name} {}\nsay went on`);
    store.lapse();
    await expect.poll(() => runs.at(-1)).toBe(`${name} stops`);
    store.renew();
    expect(await reply).toMatchObject({ outcome: 'completed', text: 'went on' });
    await session.close();
  }
  expect(runs).toEqual(['once starts', 'once stops', 'again starts', 'again stops', 'again starts']);
});

test('[O5][P2] a lease that is certain again while a stopped tool still ends repeats it only afterwards', async () => {
  const store = createMemoryStore();
  const runs: string[] = [];
  const started = Promise.withResolvers<void>();
  const killed = Promise.withResolvers<void>();
  const slow = testTool(
    'slow',
    async (_args, { signal }) => {
      runs.push('starts');
      if (runs.length > 1) return 'at last';
      started.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      await killed.promise;
      runs.push('ended');
      return { type: 'cancelled' };
    },
    { repeat: 'safe' },
  );
  const rondo = await rondoOfTest(testingAgent({ store, tools: [slow] }));
  const { session, reply } = await startedTool(rondo, started.promise, 'call slow {}\nsay went on');
  store.lapse();
  store.renew();
  store.lapse();
  store.renew();
  // Inputs are still accepted; what they decide waits for the recovery.
  await session.send({ type: 'title', title: 'still here' });
  expect(runs).toEqual(['starts']);
  killed.resolve();
  expect(await reply).toMatchObject({ outcome: 'completed', text: 'went on' });
  expect(runs).toEqual(['starts', 'ended', 'starts']);
});

test('[O5][P2] a stopped tool that never ends is not repeated beside itself: its session leaves the process', async () => {
  const store = createMemoryStore();
  const clock = createFakeClock();
  let starts = 0;
  const started = Promise.withResolvers<void>();
  const stubborn = testTool(
    'stubborn',
    () => {
      starts += 1;
      started.resolve();
      return new Promise<never>(() => {});
    },
    { repeat: 'safe' },
  );
  const rondo = await rondoOfTest(testingAgent({ store, clock, tools: [stubborn] }));
  const { reply } = await startedTool(rondo, started.promise, 'call stubborn {}\nsay went on');
  const refusal = reply.then(String, ({ message }: Error) => message);
  store.lapse();
  store.renew();
  await clock.advance(11_000);
  expect(await refusal).toContain('still ran after this process had lost its lease');
  expect(starts).toBe(1);
});

test('[P6] [O4] a session in which three owners in a row died ends its turn instead of killing a fourth', async () => {
  const first = createMemoryStore();
  let store: MemoryStore = first;
  let id: SessionId | undefined;
  const runs: number[] = [];
  for (const round of [1, 2, 3]) {
    const started = Promise.withResolvers<void>();
    const stuck = testTool('stuck', () => (runs.push(round), started.resolve(), new Promise<never>(() => {})), {
      repeat: 'safe',
    });
    const rondo = await createRondo(testingAgent({ store, tools: [stuck] }));
    const session = id === undefined ? await rondo.sessions.create() : await rondo.sessions.open(id);
    if (id === undefined) void session.chat('call stuck {}\nsay done').catch(() => undefined);
    else void session.status();
    ({ id } = session);
    await started.promise;
    store.crash();
    store = first.another();
  }
  const last = await rondoOfTest(testingAgent({ store, tools: [testTool('stuck', () => (runs.push(4), 'x'))] }));
  const opened = await last.sessions.open(id as SessionId);
  await expect.poll(async () => (await opened.status()).lifecycle).toBe('idle');
  expect((await opened.status()).lastEnding).toMatchObject({ ending: { type: 'failed', code: 'crash-loop' } });
  expect(runs).toEqual([1, 2, 3]);
});

test('[O4] an owner that comes further than its recovery ends the row of those that died', async () => {
  const first = createMemoryStore();
  let store: MemoryStore = first;
  let id: SessionId | undefined;
  for (const round of [1, 2, 3, 4, 5]) {
    const started = Promise.withResolvers<void>();
    const stuck = testTool('stuck', () => (started.resolve(), new Promise<never>(() => {})), { repeat: 'safe' });
    const rondo = await createRondo(testingAgent({ store, tools: [stuck] }));
    const session = id === undefined ? await rondo.sessions.create() : await rondo.sessions.open(id);
    ({ id } = session);
    if (round === 1) void session.chat('call stuck {}\nsay done').catch(() => undefined);
    else await session.send({ type: 'chat', text: `say ${round}` });
    await started.promise;
    store.crash();
    store = first.another();
  }
  const { events } = await store.journal.read(id as SessionId, { after: 0 });
  expect(events.filter(({ event }) => event.type === 'session-recovered')).toHaveLength(4);
  expect(events.filter(({ event }) => event.type === 'turn-ended')).toEqual([]);
});

test('[P11] a damaged session opens up to the damage, and the log names where it begins', async () => {
  const store = createMemoryStore();
  const first = await createRondo(testingAgent({ store }));
  const session = await first.sessions.create();
  await session.chat('one');
  const { seq } = await session.status();
  await session.chat('two');
  await first.close();
  const seat = store.another();
  seat.damageRecord(session.id, seq + 1);
  const logged: string[] = [];
  const second = await rondoOfTest(
    testingAgent({ store: seat, logger: { log: (_level, message) => void logged.push(message) } }),
  );
  const opened = await second.sessions.open(session.id);
  await opened.chat('three').catch(() => undefined);
  expect(logged.filter((line) => line.includes('damaged'))).toEqual([
    `session ${session.id} is damaged at event ${seq + 1} and opens up to there`,
  ]);
});

test('[O8] an older node refuses a session that a newer one wrote, names the upgrade and claims nothing', async () => {
  const store = createMemoryStore();
  const newer = await createRondo(testingAgent({ store }));
  const { id } = await newer.sessions.create();
  await newer.close();
  const seat = store.another();
  const answer = await seat.leases.claim(id);
  if (answer.type !== 'claimed') throw new Error('It is held.');
  const head = await seat.journal.head(id);
  const event = JSON.stringify({ type: 'custom', name: 'a', data: null });
  await seat.journal.append({
    session: id,
    position: answer.claim.position,
    expected: head?.seq ?? 0,
    records: [{ at: 1, by: { type: 'system', name: 'newer' }, events: [event] }],
    leastReader: readerVersion + 1,
  });
  await answer.claim.release();
  const older = await rondoOfTest(testingAgent({ store: store.another() }));
  const opened = await older.sessions.open(id);
  await expect(opened.chat('hello')).rejects.toThrow(
    `Session ${id} needs an upgrade: a newer Rondo wrote events of reader version ${readerVersion + 1}, and this one ` +
      `reads up to ${readerVersion}.`,
  );
  expect(await seat.leases.ownerOf(id)).toBeUndefined();
});

test('[O7] a session whose tool can’t be ended names it once, after one wait, and is released as unclean', async () => {
  const store = createMemoryStore();
  const seat = store.another();
  const clock = createFakeClock();
  const logged: unknown[] = [];
  const started = Promise.withResolvers<void>();
  const stubborn = testTool('stubborn', () => (started.resolve(), new Promise<never>(() => {})));
  const rondo = await rondoOfTest(
    testingAgent({
      store: seat,
      clock,
      tools: [stubborn],
      logger: { log: (_level, message, fields) => void logged.push([message, fields?.['running']]) },
    }),
  );
  const session = await rondo.sessions.create();
  session.chat('call stubborn {}').catch(() => undefined);
  await started.promise;
  const closing = session.close();
  await clock.advance(10_000);
  await closing;
  const [effect] = (logged[0] as [string, readonly string[]])[1];
  expect(logged).toEqual([
    ['effects still run after their session was dropped', [effect]],
    [`effects of session ${session.id} can’t be ended`, [effect]],
  ]);
  expect(await store.another().leases.claim(session.id)).toMatchObject({ claim: { isUnclean: true } });
});

test('[O7] a session whose servers can’t be ended is still released, as unclean', async () => {
  const store = createMemoryStore();
  const tools: SessionTools = {
    get: () => undefined,
    offered: () => [],
    release: () => Promise.reject(new Error('The server hangs.')),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const rondo = await rondoOfTest(testingAgent({ store: store.another(), tools }));
  const session = await rondo.sessions.create();
  await session.chat('say hello');
  await expect(session.close()).rejects.toThrow('The server hangs.');
  expect(await store.another().leases.claim(session.id)).toMatchObject({ claim: { isUnclean: true } });
});

test('[O3] [C16] a process that closes gives everything up, even if a step of closing fails', async () => {
  const store = createMemoryStore();
  const seat = store.another();
  const release = () => Promise.reject(new Fault('disk-full', 'The disk is full.'));
  const rondo = await createRondo(testingAgent({ store: { ...seat, jobs: { ...seat.jobs, release } } }));
  const session = await rondo.sessions.create();
  await session.chat('say hello');
  const job = await (await rondo.workers.create('ada')).run('hang');
  await expect.poll(() => job.state()).toBe('running');
  await expect(rondo.close()).rejects.toThrow('The disk is full.');
  const next = store.another();
  expect((await next.leases.claim(session.id)).type).toBe('claimed');
  expect(await next.jobs.job(job.id)).toMatchObject({ state: 'running' });
  expect((await next.jobs.job(job.id))?.owner).toBeUndefined();
});
