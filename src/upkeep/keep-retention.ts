/**
 * Applies a retention rule once a day while a server runs. A failure for one session doesn't stop the others. After
 * a forward clock change everything seems old, so the rule waits for the next day.
 */
import os from 'node:os';

import type { Swept } from '../ports/blobs.ts';
import { durationText } from '../wording/duration.ts';
import { sweepBlobs } from './sweep-blobs.ts';
import {
  candidatesFor,
  retire,
  type RetentionAction,
  type RetentionParts,
  type RetentionRule,
} from './retention.ts';

export interface RetentionReport {
  readonly gone: number;
  readonly kept: number;
  readonly blobs: Swept;
}

interface StandingRetention extends RetentionParts {
  readonly rule: RetentionRule;
  readonly action: RetentionAction;
  readonly onReport: (report: RetentionReport) => void;
  readonly onProblem: (error: unknown) => void;
  /** Milliseconds since boot, including sleep. Clock changes don't affect it. */
  readonly uptime?: () => number;
}

const firstAfterMs = 60_000;
const everyMs = 86_400_000;
/** More than a clock drifts or is corrected in a day. */
const aheadMs = 3_600_000;

/** Stops it after the current session. */
export function keepRetention(standing: StandingRetention): () => void {
  const { clock, onProblem, uptime = () => os.uptime() * 1000 } = standing;
  let disarm = clock.at(clock.now() + firstAfterMs, run);
  let isStopped = false;
  let seen = { now: clock.now(), uptime: uptime() };
  /** How far the clock was set forward since the last run. */
  function setAhead(): number {
    const before = seen;
    seen = { now: clock.now(), uptime: uptime() };
    // The two clocks are read at slightly different moments, so less than a second doesn't count.
    return Math.round((seen.now - before.now - (seen.uptime - before.uptime)) / 1000) * 1000;
  }
  async function look(): Promise<void> {
    const ahead = setAhead();
    if (ahead <= aheadMs) return standing.onReport(await applyRetention(standing));
    onProblem(
      new Error(`The clock was set ahead by ${durationText(ahead)}; nothing is removed before tomorrow’s check.`),
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
  candidate: Parameters<typeof retire>[1],
): Promise<'removed' | 'kept'> {
  try {
    return (await retire(standing, candidate, standing.action)).type;
  } catch (error) {
    standing.onProblem(error);
    return 'kept';
  }
}
