/**
 * The fault loop: fail or crash at the first append, run, reopen, check; then at the second; until a run meets no
 * fault. The same for effects. After every fault the state is before or after the interrupted step, never in
 * between; nothing acknowledged is lost; no effect that must not be repeated ran twice.
 */
import { createMemoryStore, type MemoryStore } from '../journal/memory-store.ts';
import type { SessionId } from '../kernel/ids.ts';
import { createRondo, type Rondo } from '../rondo.ts';
import { checkedStep } from './checked-step.ts';
import type { Model } from '../ports/model.ts';
import type { Tool } from '../ports/tool.ts';
import type { Session } from '../session/handle/session.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { createFaultyStore, type Failure } from './faulty-store.ts';
import { journalProblems, readWholeJournal } from './journal-checks.ts';
import { createWorld, type World } from './world.ts';

/** What to run, and what must be true after every cut. */
export interface FaultScenario {
  readonly model: () => Model;
  readonly tools: (world: World) => readonly Tool[];
  /** Tools whose effects must happen at most once. */
  readonly once: readonly string[];
  /** What the clients do, until the fault interrupts it. `acknowledge` notes input that they were told is safe. */
  run(session: Session, acknowledge: (text: string) => void): Promise<void>;
  /** Brings the reopened session to idle: answers open questions. */
  finish(session: Session): Promise<void>;
  /** True if the world's files are saved and restored. */
  readonly keepsFiles?: boolean;
  /** Problems of the world once the reopened session is idle. */
  worldProblems?(world: World, recorded: string): readonly string[];
}

/** The number of cuts, and the problems found after each. */
export interface FaultReport {
  readonly runs: number;
  readonly faults: number;
  readonly problems: readonly string[];
}

type Plan =
  | { readonly type: 'append'; readonly at: number; readonly failure: Failure }
  | { readonly type: 'effect'; readonly at: number; readonly when: 'before' | 'after' };

const appendFailures: readonly Failure[] = ['fail-before', 'fail-after', 'crash-before', 'crash-after'];

/** Repeats a scenario, cut at its n-th append and at its n-th effect, until a run meets no cut. */
export async function faultLoop(scenario: FaultScenario): Promise<FaultReport> {
  const problems: string[] = [];
  let runs = 0;
  let faults = 0;
  const kinds: readonly ((at: number) => Plan)[] = [
    ...appendFailures.map((failure) => (at: number): Plan => ({ type: 'append', at, failure })),
    (at) => ({ type: 'effect', at, when: 'before' }),
    (at) => ({ type: 'effect', at, when: 'after' }),
  ];
  for (const planAt of kinds) {
    for (let at = 1; ; at += 1) {
      const plan = planAt(at);
      runs += 1;
      const { met, mistakes } = await runOnce(scenario, plan);
      problems.push(...mistakes.map((problem) => `${JSON.stringify(plan)}: ${problem}`));
      if (!met) break;
      faults += 1;
    }
  }
  return { runs, faults, problems };
}

async function runOnce(
  scenario: FaultScenario,
  plan: Plan,
): Promise<{ met: boolean; mistakes: readonly string[] }> {
  const seat = createMemoryStore();
  const clock = createFakeClock();
  const world = createWorld(plan.type === 'effect' ? { ...plan, crash: () => seat.crash() } : undefined);
  const faulty = plan.type === 'append' ? createFaultyStore(seat, plan) : undefined;
  const acknowledged: string[] = [];

  const rondo = await open(scenario, faulty ?? seat, world, clock);
  const session = await rondo.sessions.create({ agent: 'a' });
  const ended = scenario
    .run(session, (text) => acknowledged.push(text))
    .then(
      () => 'ended' as const,
      () => 'failed' as const,
    );
  await untilStill(ended, clock);
  seat.crash();

  const next = seat.another();
  const again = await open(scenario, next, world, clock);
  const mistakes = await inspect(scenario, again, next, session.id, { world, acknowledged, clock });
  await again.close();
  const met = plan.type === 'append' ? (faulty?.failed() ?? false) : world.effects >= plan.at;
  return { met, mistakes };
}

function open(
  scenario: FaultScenario,
  store: MemoryStore | ReturnType<typeof createFaultyStore>,
  world: World,
  clock: FakeClock,
): Promise<Rondo> {
  return createRondo({
    step: checkedStep,
    store,
    clock,
    agents: { a: { model: 'm' } },
    models: { m: world.model(scenario.model()) },
    tools: scenario.tools(world),
    // Searching for real processes would take real time, and there are none.
    killOrphans: async () => undefined,
    ...(scenario.keepsFiles === true && { checkpoints: world.file.checkpoints }),
  });
}

async function inspect(
  scenario: FaultScenario,
  rondo: Rondo,
  store: MemoryStore,
  id: SessionId,
  run: { readonly world: World; readonly acknowledged: readonly string[]; readonly clock: FakeClock },
): Promise<readonly string[]> {
  const session = await rondo.sessions.get(id);
  if (session === undefined) {
    return run.acknowledged.length === 0 ? [] : ['the session is gone although something was acknowledged'];
  }
  const finished = scenario.finish(session).then(
    () => 'ended' as const,
    (error: unknown) => String(error),
  );
  const ending = await untilStill(finished, run.clock);
  const problems = ending === 'ended' ? [] : [`the reopened session did not come to rest: ${ending}`];
  const events = await readWholeJournal(store.journal, id);
  problems.push(...journalProblems(id, events));
  const recorded = JSON.stringify(events);
  for (const text of run.acknowledged)
    if (!recorded.includes(text)) problems.push(`"${text}" was acknowledged and is lost`);
  problems.push(...(scenario.worldProblems?.(run.world, recorded) ?? []));
  for (const tool of scenario.once) {
    for (const [effect, times] of run.world.timesOf(tool)) {
      if (times > 1) problems.push(`${tool} ${effect} must not be repeated and took place ${times} times`);
    }
  }
  return problems;
}

/** Advances fake time until the promise settles, or until nothing more can happen because the process is "dead". */
async function untilStill<Value>(promise: Promise<Value>, clock: FakeClock): Promise<Value | 'cut'> {
  let result: Value | 'cut' = 'cut';
  let isSettled = false;
  void promise.then((value) => {
    result = value;
    isSettled = true;
  });
  for (let round = 0; round < 30 && !isSettled; round += 1) await clock.advance(1000);
  return result;
}
