/**
 * One process of a simulation: a connection to the shared store and a Rondo on it. It may be killed at an append or
 * an effect, and from then on does nothing and answers nothing.
 */
import type { AppendRequest } from '../ports/journal.ts';
import type { MemoryStore } from '../journal/memory-store.ts';
import type { Standing } from '../ports/lease.ts';
import type { Store } from '../ports/store.ts';
import type { CallFacts } from '../kernel/call.ts';
import { epochOf } from '../journal/epoch-position.ts';
import { Fault } from '../kernel/fault.ts';
import type { SessionId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import { createTestingModel } from '../models/testing-model.ts';
import { createRondo, type Rondo } from '../rondo.ts';
import { checkedStep } from './checked-step.ts';
import type { Clock } from '../ports/clock.ts';
import type { Model, ModelSink } from '../ports/model.ts';
import type { Tool } from '../ports/tool.ts';
import { createFreeze, freezableClock, freezableStore } from './simulation-freeze.ts';
import { jobMarkerIn, mostLostAttempts, queueFault, watchedQueue } from './simulation-jobs.ts';
import type { SimulatedWorld } from './simulation-world.ts';
import { testTool } from './test-tool.ts';

export interface SimulatedProcess {
  readonly name: string;
  readonly rondo: Rondo;
  readonly seat: MemoryStore;
  /** The seat as its programs see it: with faults. */
  readonly store: Store;
  readonly clock: Clock;
  /** Number of updates by which followers may fall behind. */
  readonly followerLimit: number;
  readonly isAlive: boolean;
  /** Alive and accepting work. */
  readonly isWorking: boolean;
  /** Died in the middle: its callers get no answer. */
  readonly isDead: boolean;
  /** It was stopped once, so owners may have counted its followers as gone. */
  readonly wasStopped: boolean;
  /** Simulates `kill -9`. */
  die(why: string): void;
  /** Simulates SIGSTOP, and SIGCONT after `forMs`. Its lease may have expired by then. */
  stop(forMs: number): void;
  /** Closes in order: accepts no more work. */
  leave(options: { readonly deadline: number; readonly cancel: boolean }): Promise<void>;
}

export async function startProcess(world: SimulatedWorld, seat: MemoryStore): Promise<SimulatedProcess> {
  const { random } = world;
  const name = seat.leases.self.id;
  const followerLimit = random.chance(0.2) ? 3 : 10_000;
  const life: Life = { isAlive: true, isLate: false };
  const freeze = createFreeze();
  let isWorking = true;
  let isDead = false;
  let hasLeft = false;
  let wasStopped = false;
  const die = (why: string) => {
    if (!life.isAlive) return;
    life.isAlive = false;
    isDead = true;
    world.counts.crashes += 1;
    world.plan.push(`${name} dies: ${why}`);
    seat.crash();
  };
  const clock = mortalClock(freezableClock(world.clock, freeze), life);
  const host: Host = { name, life, die, world, clock };
  world.health.set(name, () => {
    if (isDead) return 'dead';
    if (hasLeft) return 'left';
    return seat.leases.standing() === 'sure' ? 'well' : 'lapsed';
  });
  const store = freezableStore(watchedStore(seat, host), freeze);
  const rondo = await createRondo({
    step: checkedStep,
    store,
    clock: host.clock,
    ids: world.ids,
    agents: { worker: { model: 'testing' }, helper: { model: 'testing', tools: { only: ['look', 'pay'] } } },
    models: { testing: slowModel(createTestingModel(), host) },
    tools: simulatedTools(host),
    killOrphans: (session, { below }) => endOrphans(host, session, below),
    followerLimit,
    hibernateAfterMs: 2000,
    workers: {
      delegate: true,
      maxLostAttempts: mostLostAttempts,
      stallMs: 10_000,
      whenStalled: random.pick(['leave', 'continue', 'condense']),
      lookEveryMs: 1500,
    },
    ...(random.chance(0.15) && { approve: 'all' as const }),
  });
  return {
    name,
    rondo,
    seat,
    store,
    clock,
    followerLimit,
    get isAlive() {
      return life.isAlive && !hasLeft;
    },
    get isWorking() {
      return life.isAlive && isWorking && !freeze.isFrozen;
    },
    get isDead() {
      return isDead;
    },
    die,
    get wasStopped() {
      return wasStopped;
    },
    stop(forMs) {
      wasStopped = true;
      freeze.freeze();
      const lapse = () => {
        if (!life.isAlive || !freeze.isFrozen) return;
        life.isLate = true;
        world.endChildrenOf(name);
        seat.lapse();
      };
      world.clock.at(world.clock.now() + leaseMs, lapse);
      world.clock.at(world.clock.now() + forMs, () => {
        if (!life.isAlive) return;
        if (life.isLate) world.counts.suspensions += 1;
        freeze.thaw();
        world.clock.at(world.clock.now() + random.whole(300), () => {
          life.isLate = false;
          seat.renew();
        });
      });
    },
    async leave(options) {
      isWorking = false;
      try {
        await rondo.close({ ...options, endWithin: random.pick([500, 1000, 5000]) });
      } finally {
        // Its clock keeps running: waiting callers must be answered, and no more effects may happen.
        hasLeft = true;
      }
    },
  };
}

/** Lease of the simulated processes, held while they run. */
const leaseMs = 3000;

interface Life {
  isAlive: boolean;
  /** Its lease had expired when it continued and isn't renewed yet: no child process starts. */
  isLate: boolean;
}

interface Host {
  readonly name: string;
  readonly life: Readonly<Life>;
  readonly die: (why: string) => void;
  readonly world: SimulatedWorld;
  readonly clock: Clock;
}

/** Ending processes takes a while, and sometimes fails. */
async function endOrphans(
  { world: { random, ...world }, clock }: Host,
  session: SessionId,
  below: number,
): Promise<void> {
  if (random.chance(0.8)) await pause(clock, random.whole(4000));
  if (world.hasFaults && random.chance(0.1)) {
    world.counts.killsFailed += 1;
    throw new Error('The simulated process table can’t be read.');
  }
  world.endOrphans(session, below);
}

function mortalClock(clock: Clock, life: Readonly<Life>): Clock {
  return {
    now: () => clock.now(),
    ticks: () => clock.ticks(),
    uptime: () => clock.uptime(),
    at: (time, call) => clock.at(time, () => void (life.isAlive && call())),
  };
}

/** The process's store, which notes commits and injects faults and deaths at writes. */
function watchedStore(seat: MemoryStore, { name, life, world, die, clock }: Host): Store {
  const { random } = world;
  const losses = new Set<() => void>();
  const standings: (() => void)[] = [];
  const standingListeners = new Set<(standing: Standing) => void>();
  let isUnsure = false;
  const rolls = (probability: number) => world.hasFaults && random.chance(probability);
  /** A server that is away, or a file that another process locks. */
  const readFails = () => {
    if (!rolls(0.01)) return;
    world.counts.failedReads += 1;
    throw new Fault('busy', 'The simulated store can’t be read now.');
  };
  /** A renewal comes late: whoever asks meanwhile is told that the lease isn't certain, and nobody else is. */
  function standing(): Standing {
    const current = losses.size > 0 ? 'lapsed' : seat.leases.standing();
    if (current !== 'sure') return current;
    if (!isUnsure && rolls(0.02)) {
      isUnsure = true;
      world.counts.lateRenewals += 1;
      clock.at(clock.now() + random.whole(1500), () => {
        isUnsure = false;
        if (standing() === 'sure') for (const tell of standingListeners) tell('sure');
      });
    }
    return isUnsure ? 'unsure' : 'sure';
  }
  const cut = (when: string) => {
    world.counts.letterCuts += 1;
    return dead(die, when);
  };
  return {
    ...seat,
    leases: {
      ...failing(seat.leases, leaseReads, readFails),
      async claim(session) {
        readFails();
        // A process that claims again first learns which sessions it lost.
        for (const tell of losses) tell();
        const answer = await seat.leases.claim(session);
        if (answer.type === 'claimed') world.claimed(session, answer.claim.epoch);
        return answer;
      },
      // A process that slept runs for a while before it learns which sessions it lost. Until then its lease has
      // expired.
      onLost: (listener) =>
        seat.leases.onLost((lost) => {
          const tell = () => {
            if (!losses.delete(tell)) return;
            listener(lost);
            for (const pass of standings.splice(0)) pass();
          };
          losses.add(tell);
          clock.at(clock.now() + random.whole(1500), tell);
        }),
      standing,
      onStanding(listener) {
        const stop = seat.leases.onStanding((current) => {
          if (losses.size > 0) standings.push(() => listener(seat.leases.standing()));
          else listener(current);
        });
        standingListeners.add(listener);
        return () => {
          standingListeners.delete(listener);
          stop();
        };
      },
    },
    journal: {
      ...failing(seat.journal, journalReads, readFails),
      async append(request) {
        // A slow disk: appends that arrive during this commit share the next one, and work that must wait for it
        // shows up.
        if (rolls(0.3))
          await new Promise<void>((resolve) => clock.at(clock.now() + random.whole(80), () => resolve()));
        if (request.settles !== undefined && rolls(0.02)) return cut('before an append that settles a letter');
        if (rolls(0.006)) return dead(die, 'before an append');
        if (rolls(0.004)) {
          world.counts.failedAppends += 1;
          throw new Fault('disk-full', 'The simulated disk is full; nothing was written.');
        }
        const answer = await seat.journal.append(request);
        if (answer.type === 'appended') {
          const writer = { process: name, epoch: epochOf(request.position) };
          if (settlesAsInterrupted(request)) world.interrupted(request.session, writer.epoch);
          if (request.records.length > 0) world.committed({ session: request.session, seq: answer.seq }, writer);
          for (const { letter, answer: text } of request.settles ?? []) world.letters.settled(letter, text);
        }
        if (request.settles !== undefined && rolls(0.02)) return cut('after an append that settled a letter');
        if (rolls(0.006)) return dead(die, 'after an append');
        if (rolls(0.006)) {
          world.counts.lostAnswers += 1;
          throw new Fault('busy', 'The simulated store wrote it and the answer was lost.');
        }
        if (rolls(0.003)) {
          world.counts.failedAppends += 1;
          throw new Fault('disk-full', 'The simulated disk wrote it and the answer was lost.');
        }
        return answer;
      },
    },
    jobs: watchedQueue(
      failing(seat.jobs, queueReads, readFails),
      { log: world.jobs, self: name },
      {
        async before() {
          if (rolls(0.3)) await pause(clock, random.whole(80));
          if (rolls(0.004)) return dead(die, 'before a write to the queue');
          if (!rolls(0.004)) return;
          world.counts.failedAppends += 1;
          throw queueFault();
        },
        after: async (value) => (rolls(0.004) ? dead(die, 'after a write to the queue') : value),
      },
    ),
    blobs: failing(seat.blobs, blobReads, readFails),
    hosted: failing(seat.hosted, ['load'], readFails),
    upkeep: {
      ...failing(seat.upkeep, upkeepReads, readFails),
      async remove(...given) {
        if (rolls(0.03)) return dead(die, 'before a removal');
        const answer = await seat.upkeep.remove(...given);
        if (rolls(0.03)) return dead(die, 'after a removal');
        if (rolls(0.03)) throw new Fault('busy', 'The simulated store removed it and the answer was lost.');
        return answer;
      },
    },
    inbox: {
      ...failing(seat.inbox, ['pending'], readFails),
      async put(session, message) {
        if (rolls(0.01)) return cut('before putting a letter');
        const id = await seat.inbox.put(session, message);
        return rolls(0.01) ? cut('after putting a letter') : id;
      },
      async take(session) {
        const letters = await seat.inbox.take(session);
        if (letters.length > 0 && rolls(0.02)) return cut('with letters in its hands');
        // Sometimes reading fails.
        if (letters.length > 0 && rolls(0.02))
          throw new Fault('unreadable', 'The simulated inbox can’t be read now.');
        return letters;
      },
      answerTo: (id, { timeoutMs }) => world.letters.answerTo(id, timeoutMs),
    },
    async [Symbol.asyncDispose]() {
      // A store that closes releases what its process still had, such as a job claimed while it was leaving.
      if (life.isAlive) world.jobs.released(name);
      await seat[Symbol.asyncDispose]();
    },
  };
}

const journalReads = [
  'read',
  'readBack',
  'head',
  'keyed',
  'createdWith',
  'list',
  'openQuestions',
  'loadSnapshot',
] as const;
const leaseReads = ['ownerOf', 'claimable', 'requestHandOver'] as const;
const blobReads = ['get', 'bytes', 'put'] as const;
const upkeepReads = ['sizes', 'shown', 'forks'] as const;
const queueReads = ['worker', 'workers', 'job', 'jobs'] as const;

/** The port, with reads that fail now and then. */
function failing<Port extends object>(port: Port, reads: readonly (keyof Port)[], readFails: () => void): Port {
  return new Proxy(port, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function' || !reads.includes(name as keyof Port)) return member;
      return async (...given: readonly unknown[]): Promise<unknown> => {
        readFails();
        return await Reflect.apply(member, target, given);
      };
    },
  });
}

function simulatedTools(host: Host): readonly Tool[] {
  return [
    simulatedTool(host, 'look', { access: 'read', repeat: 'safe', order: 'parallel' }),
    simulatedTool(host, 'pay', { access: 'execute', repeat: 'never', order: 'parallel' }),
    simulatedTool(host, 'change', { access: 'write', repeat: 'never', order: 'exclusive' }),
    simulatedTool(host, 'nudge', { access: 'write', repeat: 'ask', order: 'parallel' }),
    testTool('stubborn', () => new Promise(() => {}), { repeat: 'never' }),
    testTool('broken', () => Promise.reject(new Error('the tool has a bug'))),
  ];
}

function simulatedTool(host: Host, name: string, facts: Partial<CallFacts>): Tool {
  const { world, life, clock, die } = host;
  const { random } = world;
  return testTool(
    name,
    async (args, { effect, session, epoch, signal, progress }) => {
      if (random.chance(0.7)) await pause(clock, random.whole(300), signal);
      if (signal.aborted) return { type: 'cancelled' };
      if (world.hasFaults && random.chance(0.01)) return dead(die, `before ${name} ${effect}`);
      if (!life.isAlive) return never();
      if (life.isLate)
        return { type: 'error', code: 'not-started', message: 'The lease of this process is over.' };
      const job = jobMarkerIn(JSON.stringify(args));
      const of = { process: host.name, session, epoch, tool: name };
      const ended = world.runs(effect, { ...of, ...optional({ job }) });
      world.tookPlace(effect, { session, tool: name, once: facts.repeat !== 'safe' && facts.repeat !== 'ask' });
      if (world.hasFaults && random.chance(0.01)) return dead(die, `after ${name} ${effect}`);
      progress(`${name} is at it\n`);
      await pause(clock, random.whole(300), signal);
      // A kill isn't instant.
      if (signal.aborted && random.chance(0.5)) await pause(clock, random.whole(4000));
      if (!life.isAlive) return never();
      ended();
      return `${name} did ${JSON.stringify(args)}`;
    },
    facts,
  );
}

/** The model streams its words in simulated time. */
function slowModel(inner: Model, { world, clock, die }: Host): Model {
  const { random } = world;
  return {
    name: inner.name,
    async call(request, sink, signal) {
      await pause(clock, random.whole(200), signal);
      if (world.hasFaults && random.chance(0.008)) return dead(die, `in model call ${request.effect}`);
      const words: string[] = [];
      const held: ModelSink = { ...sink, text: (delta) => void words.push(delta) };
      const result = await inner.call(request, held, signal);
      for (const word of words) {
        if (signal.aborted) return { type: 'cancelled' };
        sink.text(word);
        if (random.chance(0.3)) await pause(clock, random.whole(100), signal);
      }
      return signal.aborted ? { type: 'cancelled' } : result;
    },
  };
}

function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const disarm = clock.at(clock.now() + ms, resolve);
  signal?.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(disarm);
}

function settlesAsInterrupted({ records }: AppendRequest): boolean {
  return records.some(({ events }) => events.some((text) => text.includes('"code":"interrupted"')));
}

function dead(die: (why: string) => void, why: string): Promise<never> {
  die(why);
  return never();
}

function never(): Promise<never> {
  return new Promise(() => {});
}
