/** Dependencies of workers and jobs, wired together in `rondo.ts`. */
import type { Clock } from '../ports/clock.ts';
import type { Inbox } from '../ports/inbox.ts';
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
  readonly inbox: Pick<Inbox, 'take' | 'withdraw'>;
  readonly sessions: SessionSource;
  readonly clock: Clock;
  /** The boot whose uptime the clock reads. */
  readonly boot: () => string;
  readonly ids: { worker(): WorkerId; job(): JobId; unique(): string };
  readonly onProblem: (message: string, fields: Readonly<Record<string, unknown>>) => void;
  readonly settings: JobSettings;
}

export interface SessionSource {
  /** Rejects with a `Fault` if the agent or mode is unknown. */
  create(request: SessionRequest): Promise<Session>;
  open(id: SessionId): Session;
  /** `cwd` defaults to the process's folder. */
  hasAgent(name: string, cwd?: string): Promise<boolean>;
  state(id: SessionId): Promise<State>;
  /** True if an answer from this process is pending. */
  isAsking(id: SessionId): boolean;
  /** Notifies those who wait for the session that only answers to these questions unblock it. */
  heldUp(id: SessionId, questions: readonly OpenQuestion[]): void;
}

/** Settings of a new session, a worker's or any other. */
export interface SessionRequest {
  readonly agent?: string;
  readonly model?: string;
  readonly mode?: string | Mode;
  readonly cwd?: string;
  readonly title?: string;
  readonly parent?: SessionId;
  readonly limits?: Partial<Limits>;
  readonly rules?: readonly Rule[];
  /** Narrows the agent's tools, never widens them. */
  readonly tools?: ToolAccess;
}

/** A worker's stored settings besides its agent and model. */
export interface WorkerSetup extends SessionRequest {
  readonly whenRestricted?: WhenRestricted;
}

export interface JobSettings {
  readonly limits: RunLimits;
  /** Maximum number of queued jobs, in total and per priority. */
  readonly queued: number;
  readonly queuedPerPriority: number;
  /** How many ended jobs of a worker stay listed. */
  readonly keepEnded: number;
  /** How many consecutive attempts may die with their process before the job becomes a dead letter. */
  readonly maxLostAttempts: number;
  /** How long a job may be silent before it counts as stalled. */
  readonly stallMs: number;
  readonly whenStalled: StallResolution;
  /** How often a stalled job resumes automatically before it is left. */
  readonly maxRounds: number;
  /** Minimum interval between a child's progress reports to its parent. */
  readonly reportEveryMs: number;
  /** How deep workers may be nested. */
  readonly maxDepth: number;
  /** How long a parent's agent has to decide for its worker before a person is asked. */
  readonly escalateMs: number;
  /** How often a serving process polls for jobs without a notice. */
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
