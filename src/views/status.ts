/** A session's current status, for people and for `GET /sessions/{id}`. */
import type { Actor } from '../kernel/actor.ts';
import type { AgentRequestProgress } from '../kernel/agent-request.ts';
import type { AgentSettings } from '../kernel/agent-setting.ts';
import { settingsOf } from '../kernel/agent-settings.ts';
import { isToolForm } from '../kernel/decide/decide-tool-asked.ts';
import { effectsInFlight } from '../kernel/decide/end-turn.ts';
import type { CallId, SessionId } from '../kernel/ids.ts';
import type { Limits } from '../kernel/limits.ts';
import type { Delivery, QueuedPrompt } from '../kernel/prompt.ts';
import { requestText } from './request-text.ts';
import { optional } from '../kernel/optional.ts';
import type { Place, PushedBranch } from '../kernel/place.ts';
import { turnOf, type State } from '../kernel/state.ts';
import { doingIn, type Doing, type IntendedAt } from './doing.ts';
import { oneLine } from './one-line.ts';
import { openQuestionsOf, type OpenQuestion } from './open-question.ts';
import { totalUsageOf, type TotalUsage } from './total-usage.ts';

/** A session's current activity, its usage and its questions. */
export interface Status {
  readonly session: SessionId;
  readonly seq: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly title?: string;
  readonly parent?: SessionId;
  /** The session it was forked from, and the event it continues from. */
  readonly origin?: NonNullable<State['origin']>;
  /** Imported. Accepts no prompt until a person continues it. */
  readonly isForeign?: true;
  readonly cwd: string;
  /** The machine that has `cwd`, if several machines share the store. */
  readonly machine?: string;
  /** That machine, if nothing runs there: the session waits, or a person continues it elsewhere. */
  readonly goneMachine?: string;
  /** Labels that its agent needs and no running node offers: its work waits for one. */
  readonly missingLabels?: readonly string[];
  /** The repository that it works on instead of a folder. */
  readonly repository?: StatusRepository;
  readonly agent: string;
  readonly model?: string;
  readonly mode: string;
  /** The external agent's own mode and options as it reported them, with the available choices. */
  readonly agentSettings?: Pick<AgentSettings, 'mode' | 'modes' | 'options'>;
  readonly lifecycle: Lifecycle;
  /** Closes once running work has ended. */
  readonly isClosing?: true;
  /** The lifecycle as text for people. */
  readonly words: string;
  readonly doing: readonly Doing[];
  readonly turn?: {
    readonly id: number;
    readonly startedAt: number;
    readonly agent: string;
    readonly steps: number;
    readonly toolCalls: number;
  };
  /** Includes its sub-agents. */
  readonly usage: TotalUsage;
  readonly limits: Limits;
  readonly questions: readonly OpenQuestion[];
  readonly queue: { readonly paused: boolean; readonly prompts: readonly PromptPreview[] };
  readonly workers: State['workers'];
  readonly lastEnding?: NonNullable<State['lastEnding']>;
}

interface StatusRepository extends Pick<Place, 'url' | 'ref' | 'branch' | 'push'> {
  /** The branch that the remote has, and its commit. */
  readonly pushed?: PushedBranch;
}

/**
 * `waiting`: blocked until a person answers. `pausing`: continues by itself at a set time. A session with a running
 * call beside an open question is `running`.
 */
export type Lifecycle = 'new' | 'idle' | 'running' | 'waiting' | 'pausing' | 'cancelling' | 'closed';

interface PromptPreview {
  readonly prompt: number;
  readonly by: Actor;
  readonly delivery: Delivery;
  readonly preview: string;
}

/** Without `intendedAt`, effects in flight have no start time. */
export function statusOf(state: State, intendedAt?: IntendedAt): Status {
  const { title, parent, origin, agent, queue, lastEnding } = state;
  const lifecycle = lifecycleOf(state);
  const turn = turnOf(state);
  const reported = reportedSettings(state);
  const status: { -readonly [Key in keyof Status]: Status[Key] } = {
    session: state.id,
    seq: state.seq,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    cwd: state.cwd,
    agent: agent.name,
    mode: state.mode.name,
    lifecycle,
    words: wordsFor[lifecycle],
    doing: doingIn(state, intendedAt),
    usage: totalUsageOf(state),
    limits: state.limits,
    questions: openQuestionsOf(state),
    queue: { paused: queue.paused, prompts: queue.prompts.map(previewIn) },
    workers: state.workers,
  };
  if (title !== undefined) status.title = title;
  if (parent !== undefined) status.parent = parent;
  if (origin !== undefined) status.origin = origin;
  if (state.imported?.isForeign === true) status.isForeign = true;
  if (state.machine !== undefined) status.machine = state.machine;
  if (state.place !== undefined) {
    const { url, ref, branch, push } = state.place;
    status.repository = { url, branch, push, ...optional({ ref, pushed: state.pushed }) };
  }
  if (agent.model !== undefined) status.model = agent.model;
  if (reported !== undefined) status.agentSettings = reported;
  if (state.phase.type === 'cancelling' && state.phase.thenClose) status.isClosing = true;
  if (turn !== undefined) {
    const { id, startedAt, steps, toolCalls } = turn;
    status.turn = { id, startedAt, agent: turn.agent.name, steps, toolCalls };
  }
  if (lastEnding !== undefined) status.lastEnding = lastEnding;
  return status;
}

function reportedSettings(state: State): Status['agentSettings'] {
  const settings = settingsOf(state);
  if (settings === undefined) return undefined;
  const { agent: _, chosen: __, ...reported } = settings;
  return Object.keys(reported).length === 0 ? undefined : reported;
}

export function lifecycleOf(state: State): Lifecycle {
  const { phase } = state;
  if (phase.type === 'restoring') return 'running';
  if (phase.type !== 'turn') return phase.type;
  if (isBlockedOnPerson(state)) return 'waiting';
  return phase.turn.activity.type === 'pausing' ? 'pausing' : 'running';
}

/**
 * True if only a person can continue the session: nothing in flight, and a question open. A pausing turn has no
 * question. A question's expiry and the turn's time limit don't count, because they only give up the wait.
 */
export function isBlockedOnPerson({ phase, questions }: State): boolean {
  if (phase.type !== 'turn' || questions.length === 0) return false;
  const { activity } = phase.turn;
  if (activity.type === 'running-calls') {
    const isAsking = (call: CallId) => questions.some(({ about }) => isToolForm(about) && about.call === call);
    return activity.calls.every((progress) => progress.type !== 'running' || isAsking(progress.call.id));
  }
  if (activity.type !== 'prompting-agent') return effectsInFlight(phase.turn).length === 0;
  // An agent that asked waits for the answer. A restarted agent hasn't asked yet.
  return activity.parked === true || (activity.requests ?? []).some(isHeld);
}

/** True if only the session's own jobs are in flight, so that others may run in its place. */
export function waitsForJobs(state: State): boolean {
  const activity = turnOf(state)?.activity;
  if (activity?.type !== 'running-calls') return false;
  const running = activity.calls.filter((progress) => progress.type === 'running');
  return running.length > 0 && running.every(({ call }) => call.facts.runs === 'job');
}

function isHeld(request: AgentRequestProgress): boolean {
  return request.type === 'asking' && request.lost !== true;
}

/** True if nothing is running and a turn may start. */
export function isIdle({ phase }: State): boolean {
  return phase.type === 'idle';
}

const wordsFor: Readonly<Record<Lifecycle, string>> = {
  new: 'not created yet',
  idle: 'idle',
  running: 'running',
  waiting: 'waiting for you',
  pausing: 'pausing',
  cancelling: 'cancelling',
  closed: 'closed',
};

function previewIn({ seq, by, delivery, request }: QueuedPrompt): PromptPreview {
  return { prompt: seq, by, delivery, preview: oneLine(requestText(request)) };
}
