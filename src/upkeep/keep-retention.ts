/** Lets sessions go by a standing rule, once a day, for as long as a server runs. One that fails stops no other. */
import { sweepBlobs, type Swept } from './sweep-blobs.ts';
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
}

const firstAfterMs = 60_000;
const everyMs = 86_400_000;

/** Stops it. What it is in the middle of is finished. */
export function keepRetention(standing: StandingRetention): () => void {
  const { clock, onProblem } = standing;
  let disarm = clock.at(clock.now() + firstAfterMs, run);
  let isStopped = false;
  function run(): void {
    void applyRetention(standing)
      .then(standing.onReport, onProblem)
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
