/**
 * Lets sessions go by a standing rule, once a day, for as long as a server runs. One that fails stops no other.
 * By a clock that was set ahead since the last look everything seems old: then nothing goes before the next.
 */
import os from 'node:os';

import type { Swept } from '../journal/blobs.ts';
import { durationText } from '../wording/duration.ts';
import { sweepBlobs } from './sweep-blobs.ts';
import {
  candidatesFor,
  letGo,
  type RetentionAction,
  type RetentionParts,
  type RetentionRule,
} from './retention.ts';

export interface RetentionReport {
  readonly gone: number;
  readonly kept: number;
  readonly blobs: Swept;
}

export interface StandingRetention extends RetentionParts {
  readonly rule: RetentionRule;
  readonly action: RetentionAction;
  readonly onReport: (report: RetentionReport) => void;
  readonly onProblem: (error: unknown) => void;
  /** Milliseconds since the machine started, its sleep included: they pass however the clock is set. */
  readonly uptime?: () => number;
}

const firstAfterMs = 60_000;
const everyMs = 86_400_000;
/** More than clocks drift or are put right by in a day. */
const aheadMs = 3_600_000;

/** Stops it. What it is in the middle of is finished. */
export function keepRetention(standing: StandingRetention): () => void {
  const { clock, onProblem, uptime = () => os.uptime() * 1000 } = standing;
  let disarm = clock.at(clock.now() + firstAfterMs, run);
  let isStopped = false;
  let seen = { now: clock.now(), uptime: uptime() };
  /** By how much the clock was set ahead since the last look. */
  function setAhead(): number {
    const before = seen;
    seen = { now: clock.now(), uptime: uptime() };
    // Two clocks are never read at quite the same moment: what differs by less than a second does not count.
    return Math.round((seen.now - before.now - (seen.uptime - before.uptime)) / 1000) * 1000;
  }
  async function look(): Promise<void> {
    const ahead = setAhead();
    if (ahead <= aheadMs) return standing.onReport(await applyRetention(standing));
    onProblem(
      new Error(`The clock was set ahead by ${durationText(ahead)}; nothing is let go before tomorrow’s look.`),
    );
  }
  function run(): void {
    void look()
      .catch(onProblem)
      .finally(() => {
        if (!isStopped) disarm = clock.at(clock.now() + everyMs, run);
      });
  }
  return () => {
    isStopped = true;
    disarm();
  };
}

async function applyRetention(standing: StandingRetention): Promise<RetentionReport> {
  let gone = 0;
  let kept = 0;
  for (const candidate of await candidatesFor(standing, standing.rule)) {
    const removal = candidate.stays === undefined ? await tried(standing, candidate) : undefined;
    if (removal === 'removed') gone += 1;
    else kept += 1;
  }
  return { gone, kept, blobs: await sweepBlobs(standing.store, { now: standing.clock.now() }) };
}

async function tried(
  standing: StandingRetention,
  candidate: Parameters<typeof letGo>[1],
): Promise<'removed' | 'kept'> {
  try {
    return (await letGo(standing, candidate, standing.action)).type;
  } catch (error) {
    standing.onProblem(error);
    return 'kept';
  }
}
