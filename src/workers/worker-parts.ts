/** What workers and jobs are made of; joined in `rondo.ts`. */
import type { JobQueue, RunLimits, StallResolution } from '../ports/job-queue.ts';
import type { Journal } from '../ports/journal.ts';
import type { JobId, SessionId, WorkerId } from '../kernel/ids.ts';
import type { Limits } from '../kernel/limits.ts';
import type { Mode } from '../kernel/mode.ts';
import type { ToolAccess } from '../kernel/agent.ts';
import type { Rule } from '../kernel/rule.ts';
import type { State } from '../kernel/state.ts';
import type { OpenQuestion } from '../views/open-question.ts';
import type { Session } from '../session/handle/session.ts';
import type { WhenRestricted } from './worker-permissions.ts';

export interface WorkerParts {
  readonly queue: JobQueue;
  readonly journal: Pick<Journal, 'openQuestions' | 'keyed' | 'read'>;
  readonly sessions: SessionSource;
  readonly clock: { now(): number; ticks(): number; at(time: number, call: () => void): () => void };
  readonly ids: { worker(): WorkerId; job(): JobId; unique(): string };
  readonly onProblem: (message: string, fields: Readonly<Record<string, unknown>>) => void;
  readonly settings: JobSettings;
}

export interface SessionSource {
  /** Rejects with a `Fault` where the agent or mode is not known. */
  create(request: SessionRequest): Promise<Session>;
  open(id: SessionId): Session;
  /** In a folder; without one, where the process works. */
  hasAgent(name: string, cwd?: string): Promise<boolean>;
  state(id: SessionId): Promise<State>;
  /** Whether somebody in this process has been asked and has not answered yet. */
  isAsking(id: SessionId): boolean;
  /** Tells those who wait for the session that only the answers to these take it further. */
  heldUp(id: SessionId, questions: readonly OpenQuestion[]): void;
}

/** What the session of a worker is set up with. */
export interface SessionRequest {
  readonly agent?: string;
  readonly model?: string;
  readonly mode?: string | Mode;
  readonly cwd?: string;
  readonly title?: string;
  readonly parent?: SessionId;
  readonly limits?: Partial<Limits>;
  readonly rules?: readonly Rule[];
  /** Narrows what the agent may use, never widens it. */
  readonly tools?: ToolAccess;
}

/** What is kept of a worker beside its agent and model. */
export interface WorkerSetup extends SessionRequest {
  readonly whenRestricted?: WhenRestricted;
}

export interface JobSettings {
  readonly limits: RunLimits;
  /** Most jobs that may wait, in all and of one priority. */
  readonly queued: number;
  readonly queuedPerPriority: number;
  /** Ended jobs of a worker that stay listed. */
  readonly keepEnded: number;
  /** Attempts lost with their process, in a row, after which a job is a dead letter. */
  readonly maxLostAttempts: number;
  /** How long nothing may come from a job before it counts as stalled. */
  readonly stallMs: number;
  readonly whenStalled: StallResolution;
  /** How often a stalled job is taken up again by itself before it is left. */
  readonly maxRounds: number;
  /** A child's progress is told to its parent at most once in this time. */
  readonly reportEveryMs: number;
  /** How deep workers may have workers. */
  readonly maxDepth: number;
  /** How long a parent's agent has to decide for its worker before a person is asked. */
  readonly escalateMs: number;
  /** How often a process that serves everybody's jobs looks for work it was not told of. */
  readonly lookEveryMs: number;
}

export const defaultJobSettings: JobSettings = {
  limits: { running: 10, perProvider: 5 },
  queued: 100,
  queuedPerPriority: 30,
  keepEnded: 3,
  maxLostAttempts: 5,
  stallMs: 10 * 60_000,
  whenStalled: 'leave',
  maxRounds: 3,
  reportEveryMs: 5000,
  maxDepth: 3,
  escalateMs: 120_000,
  lookEveryMs: 5000,
};
