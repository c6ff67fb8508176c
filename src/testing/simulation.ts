/**
 * A seeded simulation: several processes on one store, many sessions, clients that send, answer, interrupt, follow
 * and reconnect, processes that die at any append or effect, sleep past their lease, hand sessions over and are
 * replaced. Time and randomness are simulated, so that a seed always gives the same run. At the end everything must
 * be idle, and these hold:
 *
 * - P1: acknowledged input is in the journal, once; refused input isn't.
 * - P2: an effect happens after its intent was committed; one that must not be repeated happens once.
 * - P4: epochs never go back, and one epoch has one writer.
 * - P5: every follower received the journal, without gap or repeat, including streamed text.
 * - P6: a cancelled turn stays cancelled.
 * - O4, O7: effects settled as interrupted don't run, and tools of two owners never run at the same time.
 * - O11: events that a fork continues from are never removed.
 * - O12: a job runs in one place at a time, ends once, and its end ends its turn (`simulation-jobs.ts`).
 * - Every journal is sound, every projection is a fold of it, every caller was answered.
 */
import { createMemoryStore } from '../journal/memory-store.ts';
import { Fault } from '../kernel/fault.ts';
import type { Recorded } from '../kernel/event.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { ClientInput } from '../session/client-input.ts';
import { candidatesFor, retire } from '../upkeep/retention.ts';
import { readWholeJournal } from './journal-checks.ts';
import { projectionProblems, restProblems } from './simulation-checks.ts';
import { someAnswer, someChange, somePrompt, someQueueChange, someTask } from './simulation-client.ts';
import type { SimulationCounts } from './simulation-counts.ts';
import { createJobActions } from './simulation-job-actions.ts';
import { createFollower, type SimulatedFollower } from './simulation-follower.ts';
import { operationProblems, type SimulatedOperation } from './simulation-operation.ts';
import { startProcess, type SimulatedProcess } from './simulation-process.ts';
import { createSeededRandom } from './simulation-random.ts';
import { createSimulatedWorld } from './simulation-world.ts';

/** Seed, length and faults of a simulation. */
export interface SimulationOptions {
  readonly seed: number;
  /** Number of actions before everything must become idle. */
  readonly actions?: number;
  readonly sessions?: number;
  readonly processes?: number;
}

/** Counts and problems of a simulation. */
export interface SimulationReport {
  readonly seed: number;
  readonly problems: readonly string[];
  readonly counts: SimulationCounts;
  /** All actions, in order. */
  readonly plan: readonly string[];
  readonly journals: ReadonlyMap<SessionId, readonly Recorded[]>;
}

/** Runs random clients, crashes and clocks over many sessions, all from one seed. */
export async function simulate(options: SimulationOptions): Promise<SimulationReport> {
  // Loading a module on demand takes turns of the event loop, which would make the first run a different one.
  warmUp ??= run({ seed: 7, actions: 80 });
  await warmUp;
  return run(options);
}

let warmUp: Promise<unknown> | undefined;

async function run(options: SimulationOptions): Promise<SimulationReport> {
  const { seed, actions = 250, sessions: sessionCount = 6, processes: processCount = 3 } = options;
  const random = createSeededRandom(seed);
  const world = createSimulatedWorld(random);
  const { clock, counts, plan } = world;
  const root = createMemoryStore();
  const processes: SimulatedProcess[] = [];
  const sessions: SessionId[] = [];
  const operations: SimulatedOperation[] = [];
  const followers: SimulatedFollower[] = [];
  const waiting = new Map<string, SimulatedProcess>();
  const removed = new Set<SessionId>();
  const removing = new Set<SessionId>();
  /** Sessions that somebody tried to remove, whether or not they learned the outcome. */
  const unwanted = new Set<SessionId>();

  const alive = () => processes.filter((process) => process.isWorking);
  const start = async () => {
    const process = await startProcess(world, root.another());
    plan.push(`${process.name} starts`);
    processes.push(process);
    return process;
  };

  /** A client's work in a process. It must be answered eventually, unless that process dies. */
  function does(process: SimulatedProcess, what: string, work: () => Promise<unknown>): void {
    const name = `${plan.length} ${process.name}: ${what}`;
    plan.push(name);
    waiting.set(name, process);
    void work().then(
      () => waiting.delete(name),
      () => waiting.delete(name),
    );
  }

  const jobActions = createJobActions({ world, does });

  /** Sessions of clients and of workers. */
  async function allSessions(): Promise<readonly SessionId[]> {
    const { entries } = await root.another().journal.list({ limit: 1000 });
    return [...new Set([...sessions, ...entries.map(({ session }) => session)])];
  }

  function newOperation(session: SessionId, input: ClientInput): SimulatedOperation {
    const operation: SimulatedOperation = { name: `op-${operations.length + 1}`, session, input, receipts: [] };
    operations.push(operation);
    counts.inputs += 1;
    return operation;
  }

  /** Sends the input. If the answer is lost, the client retries under the same key, maybe on another process. */
  async function deliver(process: SimulatedProcess, operation: SimulatedOperation, tries = 3): Promise<void> {
    const { name, session, input, receipts } = operation;
    try {
      const handle = await process.rondo.sessions.open(session);
      const receipt = await handle.send(input, { by: { type: 'person', name }, key: name });
      if (!process.isAlive) return;
      receipts.push(receipt);
      if (receipt.type === 'accepted') counts.acknowledged += 1;
    } catch {
      const [other] = alive().toReversed();
      if (tries > 1 && other !== undefined)
        does(other, `${name} once more`, () => deliver(other, operation, tries - 1));
    }
  }

  function send(process: SimulatedProcess, session: SessionId, input: ClientInput): void {
    const operation = newOperation(session, input);
    does(process, `${operation.name} ${session} ${summary(input)}`, () => deliver(process, operation));
  }

  const takeAction: Readonly<Record<ActionName, (process: SimulatedProcess, session: SessionId) => void>> = {
    prompt(process, session) {
      const operation = newOperation(session, somePrompt(random, `m${operations.length + 1}`));
      const { input } = operation;
      does(process, `${operation.name} ${session} ${summary(input)}`, () => deliver(process, operation));
      // A client without an answer sends again, to any process; the input still counts once.
      if (random.chance(0.2)) {
        const other = random.pick(alive());
        does(other, `${operation.name} again`, () => deliver(other, operation));
      }
    },
    chat(process, session) {
      does(process, `chats with ${session}`, async () => {
        const handle = await process.rondo.sessions.open(session);
        await handle.chat(`say hello ${plan.length}`, { whenAsked: random.chance(0.5) ? 'return' : 'wait' });
      });
    },
    task: (process, session) => send(process, session, someTask(random, `m${operations.length + 1}`)),
    change: (process, session) => send(process, session, someChange(random)),
    interrupt: (process, session) => send(process, session, { type: 'interrupt' }),
    compact: (process, session) => send(process, session, { type: 'compact', keep: `m${operations.length + 1}` }),
    rewind(process, session) {
      does(process, `looks where ${session} could go back to`, async () => {
        const handle = await process.rondo.sessions.open(session);
        const { seq } = await handle.status();
        if (process.isAlive) send(process, session, { type: 'rewind', to: 1 + random.whole(Math.max(1, seq)) });
      });
    },
    fork(process, session) {
      if (sessions.length >= sessionCount * 2) return;
      does(process, `forks ${session}`, async () => {
        const handle = await process.rondo.sessions.open(session);
        const { seq } = await handle.status();
        const fork = await handle.fork(random.chance(0.5) ? {} : { at: 1 + random.whole(Math.max(1, seq)) });
        if (process.isAlive) sessions.push(fork.id);
      });
    },
    remove(process, session) {
      const other = random.pick(alive());
      does(process, `removes ${session}`, async () => {
        removing.add(session);
        unwanted.add(session);
        try {
          const gone = await process.rondo.sessions.delete(session);
          counts.removals += 1;
          for (const id of gone) removed.add(id);
        } finally {
          removing.delete(session);
        }
      });
      if (random.chance(0.5)) forkDuringRemoval(other, session);
    },
    retain(process) {
      does(process, 'lets go of what is old', async () => {
        const parts = { store: process.store, clock: process.clock };
        for (const candidate of await candidatesFor(parts, { olderThanMs: 15_000 })) {
          if (candidate.stays !== undefined || !random.chance(0.3)) continue;
          for (const id of candidate.family) unwanted.add(id);
          const removal = await retire(parts, candidate, { type: 'delete' });
          if (removal.type !== 'removed') continue;
          counts.retained += 1;
          for (const id of removal.sessions) removed.add(id);
        }
      });
    },
    fileJob: (process) => jobActions.file(process),
    cancelJob: (process) => jobActions.cancel(process),
    resolveJob: (process) => jobActions.resolve(process),
    terminate: (process, session) => send(process, session, { type: 'close' }),
    queue(process, session) {
      does(process, `looks at the queue of ${session}`, async () => {
        const handle = await process.rondo.sessions.open(session);
        const status = await handle.status();
        if (process.isAlive) send(process, session, someQueueChange(random, status));
      });
    },
    answer(process) {
      does(process, 'answers a question', async () => {
        const questions = await process.rondo.questions();
        if (questions.length === 0 || !process.isAlive) return;
        const question = random.pick(questions);
        send(process, question.session, someAnswer(random, question));
        if (random.chance(0.3)) send(random.pick(alive()), question.session, someAnswer(random, question));
      });
    },
    follow(process, session) {
      const idle = followers.filter((follower) => !follower.isConnected);
      const isNew = idle.length === 0 || random.chance(0.3);
      const follower = isNew
        ? createFollower(world, `follower-${followers.length + 1}`, session)
        : random.pick(idle);
      if (isNew) followers.push(follower);
      plan.push(`${follower.name} follows ${follower.session} at ${process.name}`);
      follower.connect(process);
    },
    unfollow() {
      const connected = followers.filter((follower) => follower.isConnected);
      if (connected.length === 0) return;
      const follower = random.pick(connected);
      plan.push(`${follower.name} disconnects`);
      follower.disconnect();
    },
    adopt: (process) => does(process, 'adopts', () => process.rondo.adopt()),
    inspect(process) {
      does(process, 'compares the projections', async () => {
        world.problems.push(...(await projectionProblems(process.seat.journal, await allSessions())));
      });
    },
    release(process, session) {
      does(process, `lets go of ${session}`, async () => (await process.rondo.sessions.open(session)).close());
    },
    handOver(process, session) {
      counts.handOvers += 1;
      does(process, `asks for ${session}`, () =>
        process.seat.leases.requestHandOver(session, random.chance(0.5) ? { withinMs: random.whole(2000) } : {}),
      );
    },
    lapse(process) {
      counts.lapses += 1;
      plan.push(`${process.name} sleeps past its lease`);
      process.seat.lapse();
      clock.at(clock.now() + random.whole(4000), () => process.isAlive && process.seat.renew());
    },
    stop(process) {
      const forMs = random.whole(12_000);
      plan.push(`${process.name} is stopped for ${forMs} ms`);
      process.stop(forMs);
    },
    setClock() {
      counts.clockJumps += 1;
      const byMs = random.pick([-1, 1]) * random.pick([1000, 3_600_000, 86_400_000]);
      plan.push(`the clock is set by ${byMs} ms`);
      clock.set(byMs);
    },
    crash: (process) => process.die('by chance'),
    leave(process) {
      const options = { deadline: random.pick([0, 500, 5000]), cancel: random.chance(0.3) };
      does(process, `leaves (${JSON.stringify(options)})`, () => process.leave(options));
    },
  };

  /** Forks while a removal is in progress: it claims, checks and removes. */
  function forkDuringRemoval(process: SimulatedProcess, session: SessionId): void {
    does(process, `forks ${session}, which is being removed`, async () => {
      if (removing.has(session)) counts.forksDuringRemoval += 1;
      const fork = await process.rondo.sessions.fork(session);
      if (process.isAlive) sessions.push(fork.id);
    });
  }

  for (let count = 0; count < processCount; count += 1) await start();
  for (let action = 0; action < actions; action += 1) {
    for (const follower of followers) if (follower.process?.isDead === true) follower.disconnect();
    while (alive().length < processCount) await start();
    const process = random.pick(alive());
    if (sessions.length < sessionCount && random.chance(0.1 + Number(sessions.length === 0))) {
      const limits = {
        wallTimeMs: 120_000,
        ...(random.chance(0.3) && { questionExpiryMs: 20_000 }),
        // So small that the conversation is compacted automatically.
        ...(random.chance(0.3) && { contextTokens: 200 }),
      };
      const rules = random.chance(0.5) ? [{ verdict: 'allow', tool: 'pay', origin: 'user' } as const] : [];
      const { id } = await process.rondo.sessions.create({ limits, rules });
      sessions.push(id);
      send(process, id, somePrompt(random, `m${operations.length + 1}`));
    } else {
      takeAction[random.weighted(weights)](process, random.pick(sessions));
    }
    await clock.advance(random.chance(0.05) ? random.whole(8000) : random.whole(150));
  }

  world.hasFaults = false;
  const areAnswered = () => [...waiting.values()].every((process) => process.isDead);
  await settleAll({ start, alive, sessions: allSessions, world, areAnswered });
  for (const [name, process] of waiting) {
    if (!process.isDead) world.problems.push(`nobody answered: ${name}`);
  }
  const journals = new Map<SessionId, readonly Recorded[]>();
  const all = await allSessions();
  for (const session of all) {
    if (removed.has(session)) continue;
    const own = operations.filter((operation) => operation.session === session);
    if ((await root.another().journal.head(session)) === undefined) {
      // A removal was interrupted after it was done, or a process died before the first append.
      const wasAcknowledged = own.some(({ receipts }) => receipts.some(({ type }) => type === 'accepted'));
      if (wasAcknowledged && !unwanted.has(session))
        world.problems.push(`[P1] ${session} is gone and nobody removed it`);
      continue;
    }
    const events = await readWholeJournal(root.another().journal, session);
    journals.set(session, events);
    world.problems.push(
      ...[...(await restProblems(root.another(), session, events)), ...operationProblems(own, events)].map(
        (problem) => `${session}: ${problem}`,
      ),
      ...followers
        .filter((follower) => follower.session === session)
        .flatMap((follower) => follower.problems(events)),
    );
  }
  world.problems.push(...(await projectionProblems(root.another().journal, all)));
  world.problems.push(...(await world.jobs.problems(root.another().jobs, journals)));
  for (const process of alive()) await process.leave({ deadline: 0, cancel: false });
  return { seed, problems: world.problems, counts, plan, journals };
}

type ActionName = keyof typeof weights;

const weights = {
  prompt: 30,
  chat: 5,
  task: 8,
  answer: 22,
  interrupt: 6,
  compact: 4,
  rewind: 4,
  fork: 3,
  remove: 2.5,
  retain: 2.5,
  fileJob: 9,
  cancelJob: 1.5,
  resolveJob: 1,
  terminate: 0.5,
  queue: 8,
  change: 8,
  follow: 12,
  unfollow: 8,
  adopt: 6,
  inspect: 3,
  release: 3,
  handOver: 5,
  lapse: 2,
  stop: 2,
  setClock: 2,
  crash: 2,
  leave: 1.5,
};

interface Ending {
  readonly start: () => Promise<SimulatedProcess>;
  readonly alive: () => readonly SimulatedProcess[];
  readonly sessions: () => Promise<readonly SessionId[]>;
  readonly world: ReturnType<typeof createSimulatedWorld>;
  /** True if no caller that could still send waits for an answer. */
  readonly areAnswered: () => boolean;
}

/** Replaces all processes by a new one, answers every question and resumes every queue, until everything is idle. */
async function settleAll({ start, alive, sessions, world, areAnswered }: Ending): Promise<void> {
  const { clock, random, problems } = world;
  for (const process of alive()) if (random.chance(0.5)) process.die('the end begins');
  const last = await start();
  const ended = (async () => {
    for (;;) {
      // A caller answered during this check may have woken a session that was already checked.
      const wereAnswered = areAnswered();
      await last.rondo.adopt();
      // A stopped owner takes its letters when it continues, maybe during this check.
      const pending = new Set(await last.seat.inbox.pending());
      const all = await sessions();
      const lifecycles = await Promise.all(all.map((session) => settle(last, session)));
      const hasLetters = all.some((session, index) => lifecycles[index] !== 'gone' && pending.has(session));
      const areAtRest = !hasLetters && lifecycles.every((lifecycle) => restStates.has(lifecycle));
      const jobs = await last.rondo.jobs.list({ which: 'active' });
      // No one else handles a hanging job.
      for (const { id, state } of jobs)
        if (state === 'stalled') await (await last.rondo.jobs.get(id))?.cancel('over');
      if (areAtRest && jobs.length === 0 && wereAnswered && areAnswered()) return;
      await new Promise<void>((resolve) => clock.at(clock.now() + 1000, () => resolve()));
    }
  })();
  let state: unknown = 'the sessions did not come to rest';
  void ended.then(
    () => (state = 'at rest'),
    (error: unknown) => (state = `coming to rest failed: ${String(error)}`),
  );
  for (let round = 0; round < 400 && state === 'the sessions did not come to rest'; round += 1) {
    await clock.advance(1000);
    // Some waits go by real time too, such as that of a closing Rondo: on a busy machine they need their share.
    if (round > 100) await new Promise((resolve) => void setTimeout(resolve, 20));
  }
  if (state !== 'at rest') problems.push(String(state));
  // Callers and followers receive what is on its way to them.
  await clock.advance(30_000);
}

const restStates: ReadonlySet<string> = new Set(['idle', 'closed', 'gone']);

async function settle(process: SimulatedProcess, session: SessionId): Promise<string> {
  try {
    return await settleOne(process, session);
  } catch (error) {
    // A removal that was under way ended in between. The journals are checked afterwards.
    if (error instanceof Fault && error.code === 'not-found') return 'gone';
    throw error;
  }
}

async function settleOne(process: SimulatedProcess, session: SessionId): Promise<string> {
  const handle = await process.rondo.sessions.get(session);
  if (handle === undefined) return 'gone';
  const status = await handle.status();
  for (const { id } of status.questions) await handle.answer(id, { type: 'allow-once' });
  if (status.queue.paused && status.queue.prompts.length > 0) {
    await handle.send({ type: 'queue', change: { type: 'resumed' } });
  }
  const after = await handle.status();
  return after.queue.prompts.length > 0 ? 'queued' : after.lifecycle;
}

function summary(input: ClientInput): string {
  return JSON.stringify(input).slice(0, 160);
}
