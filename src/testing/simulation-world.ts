/**
 * State shared by all processes of a simulation: the store's content, the world that effects change, time, and the
 * problems found so far.
 *
 * 1. An effect happens only in a live process, and only after its intent is committed.
 * 2. Every commit is noted with its epoch and its writer.
 * 3. A tool runs until it has really ended. If its process died, it runs until another process ends it.
 */
import type { Commit } from '../ports/journal.ts';
import { seqOfEffect, type EffectId, type SessionId } from '../kernel/ids.ts';
import type { Ids } from '../ports/ids.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { createFakeIds } from './fake-ids.ts';
import type { SimulationCounts } from './simulation-counts.ts';
import { createJobLog, type Health, type JobLog } from './simulation-jobs.ts';
import type { SeededRandom } from './simulation-random.ts';

export interface SimulatedWorld {
  readonly random: SeededRandom;
  readonly clock: FakeClock;
  readonly ids: Ids;
  readonly counts: SimulationCounts;
  readonly problems: string[];
  /** All actions, in order: the plan of the run, for debugging. */
  readonly plan: string[];
  /** False at the end of a run, when everything must become idle. */
  hasFaults: boolean;
  claimed(session: SessionId, epoch: number): void;
  committed(commit: Commit, writer: { readonly process: string; readonly epoch: number }): void;
  tookPlace(
    effect: EffectId,
    effects: { readonly session: SessionId; readonly tool: string; readonly once: boolean },
  ): void;
  /** A tool starts to run under an owner's epoch. Returns a function that ends it. */
  runs(effect: EffectId, of: RunningTool): () => void;
  /** The keeper of a stopped process ends its children when its lease expires (O6). */
  endChildrenOf(process: string): void;
  /** Ends tools that owners before an epoch left running. */
  endOrphans(session: SessionId, below: number): void;
  /** An owner has settled effects of earlier owners as interrupted: none of those may run. */
  interrupted(session: SessionId, epoch: number): void;
  /** Answers to letters between processes, without the real timers of the store's inbox. */
  readonly letters: Letters;
  /** State of each process, by name. */
  readonly health: Map<string, () => Health>;
  readonly jobs: JobLog;
}

interface RunningTool {
  readonly process: string;
  readonly session: SessionId;
  readonly epoch: number;
  readonly tool: string;
  /** Name of the tool's job. */
  readonly job?: string;
}

interface Letters {
  settled(id: number, answer: string): void;
  answerTo(id: number, timeoutMs: number): Promise<string | undefined>;
}

export function createSimulatedWorld(random: SeededRandom): SimulatedWorld {
  // Far enough from zero that it can be set back by days.
  const clock = createFakeClock({ now: 1_800_000_000_000 });
  const heads = new Map<SessionId, number>();
  const claims = new Map<SessionId, number>();
  const writers = new Map<SessionId, { epoch: number; process: string }>();
  const timesOnce = new Map<EffectId, number>();
  const problems: string[] = [];
  const counts: SimulationCounts = {
    inputs: 0,
    acknowledged: 0,
    crashes: 0,
    lapses: 0,
    lateRenewals: 0,
    handOvers: 0,
    failedAppends: 0,
    failedReads: 0,
    lostAnswers: 0,
    clockJumps: 0,
    commits: 0,
    effects: 0,
    followed: 0,
    orphansEnded: 0,
    killsFailed: 0,
    removals: 0,
    retained: 0,
    forksDuringRemoval: 0,
    letterCuts: 0,
    suspensions: 0,
    jobsFiled: 0,
    jobsEnded: 0,
    jobsCancelled: 0,
    jobsLost: 0,
    deadLetters: 0,
  };
  const commits = new Map<SessionId, { readonly seq: number; readonly at: number }[]>();
  const health = new Map<string, () => Health>();
  const jobs = createJobLog({
    problems,
    counts,
    ticks: () => clock.ticks(),
    healthOf: (owner) => health.get(owner)?.() ?? 'left',
    committedAt: (session, seq) => commits.get(session)?.find((one) => one.seq >= seq)?.at ?? 0,
  });
  /** An effect may have two attempts in here: the aborted one until it has really ended, and its repetition. */
  const running = new Set<RunningTool & { readonly effect: EffectId; readonly end: () => void }>();
  return {
    random,
    clock,
    ids: createFakeIds(),
    counts,
    problems,
    plan: [],
    hasFaults: true,
    letters: createLetters(clock),
    health,
    jobs,
    claimed: (session, epoch) => void claims.set(session, Math.max(epoch, claims.get(session) ?? 0)),
    committed({ session, seq }, writer) {
      counts.commits += 1;
      const claimed = claims.get(session) ?? 0;
      if (writer.epoch < claimed) {
        problems.push(
          `[P4] ${session}: ${writer.process} wrote in epoch ${writer.epoch} when ${claimed} was claimed`,
        );
      }
      const last = writers.get(session);
      if (last !== undefined && writer.epoch < last.epoch) {
        problems.push(
          `[P4] ${session}: epoch ${writer.epoch} of ${writer.process} wrote after epoch ${last.epoch}`,
        );
      }
      if (last?.epoch === writer.epoch && last.process !== writer.process) {
        problems.push(
          `[P4] ${session}: ${last.process} and ${writer.process} both wrote in epoch ${writer.epoch}`,
        );
      }
      writers.set(session, writer);
      heads.set(session, seq);
      const list = commits.get(session) ?? [];
      commits.set(session, list);
      list.push({ seq, at: clock.ticks() });
    },
    runs(effect, of) {
      for (const { effect: other, session, epoch, tool } of running) {
        if (session === of.session && epoch !== of.epoch)
          problems.push(`[O7] ${of.tool} ${effect} of epoch ${of.epoch} runs beside ${tool} ${other} of ${epoch}`);
        if (other === effect) problems.push(`[P2] two attempts of ${tool} ${effect} run at the same time`);
      }
      const endJob = of.job === undefined ? undefined : jobs.runs(of.job, of);
      const one = {
        ...of,
        effect,
        end() {
          running.delete(one);
          endJob?.();
        },
      };
      running.add(one);
      return one.end;
    },
    endChildrenOf(process) {
      for (const one of running) if (one.process === process) one.end();
    },
    endOrphans(session, below) {
      for (const one of running) {
        if (one.session !== session || one.epoch >= below) continue;
        one.end();
        counts.orphansEnded += 1;
      }
    },
    interrupted(session, epoch) {
      for (const one of running) {
        if (one.session !== session || one.epoch >= epoch) continue;
        problems.push(
          `[O4] ${one.tool} ${one.effect} of epoch ${one.epoch} still runs when epoch ${epoch} settles it`,
        );
      }
    },
    tookPlace(effect, { session, tool, once }) {
      counts.effects += 1;
      if (seqOfEffect(effect) > (heads.get(session) ?? 0)) {
        problems.push(`[P2] ${tool} ${effect} took place before its intent was committed`);
      }
      if (!once) return;
      const times = (timesOnce.get(effect) ?? 0) + 1;
      timesOnce.set(effect, times);
      if (times > 1) problems.push(`[P2] ${tool} ${effect} must not be repeated and took place ${times} times`);
    },
  };
}

function createLetters(clock: FakeClock): Letters {
  const answers = new Map<number, string>();
  const waiting = new Map<number, Set<(answer: string | undefined) => void>>();
  return {
    settled(id, answer) {
      if (answers.has(id)) return;
      answers.set(id, answer);
      for (const tell of waiting.get(id) ?? []) tell(answer);
      waiting.delete(id);
    },
    answerTo(id, timeoutMs) {
      const answer = answers.get(id);
      if (answer !== undefined) return Promise.resolve(answer);
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      waiting.set(id, (waiting.get(id) ?? new Set()).add(resolve));
      const disarm = clock.at(clock.now() + timeoutMs, () => resolve(undefined));
      return promise.finally(disarm);
    },
  };
}
