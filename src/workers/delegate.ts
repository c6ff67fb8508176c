/**
 * `delegate`: a tool call that is a job. It starts one or more workers under the calling session, and either waits
 * for them or returns at once. It reports workers that couldn't start or didn't complete. A waiting call returns
 * early if a worker asks something that its parent's agent may decide. `decide` answers and continues the wait.
 */
import type { WorkerRow } from '../ports/job-queue.ts';
import type { Call, CallFacts } from '../kernel/call.ts';
import type { BlobRef } from '../kernel/content.ts';
import type { EffectId, JobId, SessionId } from '../kernel/ids.ts';
import type { ToolResult } from '../kernel/outcome.ts';
import { turnOf, type State } from '../kernel/state.ts';
import { boundedGrant } from '../kernel/rule.ts';
import type { Canceller } from './cancel-jobs.ts';
import {
  delegateParameters,
  parseDelegate,
  type DelegateArguments,
  type DelegatedWork,
} from './delegate-arguments.ts';
import { decideForWorker, decideParameters, parseDecided } from './decide-for-worker.ts';
import { delegateResult, startedResult, withQuestions } from './delegate-outcome.ts';
import type { Escalations } from './escalations.ts';
import type { HeldUp } from './held-up.ts';
import type { JobEndings } from './job-endings.ts';
import { launchJobs, type LaunchRequest } from './launch.ts';
import { narrowTools } from './narrow-tools.ts';
import type { Scheduler } from './scheduler.ts';
import { enrolNew } from './spawn.ts';
import type { Started } from './started-work.ts';
import type { WorkerParts } from './worker-parts.ts';
import { optional } from '../kernel/optional.ts';

export interface Delegation {
  readonly tools: readonly DelegationTool[];
  /** True if the session may have workers: any session that isn't a worker, and workers with permission. */
  isOffered(state: State): Promise<boolean>;
  run(call: Call, host: DelegateHost, context: { readonly signal: AbortSignal }): Promise<ToolResult>;
}

export interface DelegationTool {
  readonly name: 'delegate' | 'decide';
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  describe(args: unknown): CallFacts;
  run(): Promise<ToolResult>;
}

interface DelegateHost {
  readonly session: SessionId;
  readonly state: State;
  read(ref: BlobRef): Promise<string>;
}

interface Parts {
  readonly endings: JobEndings;
  readonly canceller: Canceller;
  readonly scheduler: Scheduler;
  readonly escalations: Escalations;
  readonly heldUp: HeldUp;
}

export function createDelegation(
  parts: WorkerParts,
  { endings, canceller, scheduler, escalations, heldUp }: Parts,
): Delegation {
  const { queue, ids, settings } = parts;

  async function start(
    call: Call,
    { session, state }: DelegateHost,
    args: DelegateArguments,
  ): Promise<readonly Started[]> {
    const effect = effectOf(state, call);
    const jobIds = new Map(args.workers.map(({ name }) => [name, ids.job()]));
    const refused = new Map<string, string>();
    const requests: LaunchRequest[] = [];
    for (const work of inOrder(args.workers)) {
      const missing = work.after.find((name) => refused.has(name));
      if (missing !== undefined && args.whenDependencyFails !== 'run-anyway') {
        refused.set(work.name, `it waits for ${missing}, which could not start`);
        continue;
      }
      const worker = await workerFor(work, session, state);
      if (typeof worker === 'string') refused.set(work.name, worker);
      else requests.push(requestOf(work, worker, { jobIds, refused, effect, args }));
    }
    const answers = requests.length === 0 ? [] : await launchJobs(parts, requests);
    const launched = new Map(requests.map(({ key }, index) => [nameOf(key), answers[index]] as const));
    for (const [index, { worker }] of requests.entries()) {
      const answer = answers[index];
      // The job belongs to an earlier attempt or doesn't exist, so this worker isn't needed.
      if (answer?.type === 'launched' && answer.job.worker === worker.id) continue;
      if (worker.kind === 'ephemeral') await queue.dismiss(worker.id);
    }
    scheduler.wake();
    return args.workers.map(({ name }): Started => {
      const answer = launched.get(name);
      if (answer?.type === 'launched') return { name, job: answer.job };
      return { name, refusal: answer?.message ?? refused.get(name) ?? 'it could not start' };
    });
  }

  async function workerFor(work: DelegatedWork, parent: SessionId, state: State): Promise<WorkerRow | string> {
    const access = turnOf(state)?.agent.tools ?? 'all';
    const answer = await enrolNew(parts, work.name, {
      kind: work.keep ? 'persistent' : 'ephemeral',
      parent,
      agent: work.agent ?? state.agent.name,
      ...modelFor(work, state),
      mode: state.mode,
      cwd: state.cwd,
      rules: [...state.rules, ...state.grants.map(boundedGrant)],
      tools: work.tools === undefined ? access : narrowTools(access, { only: work.tools }),
      maySpawn: work.maySpawn,
      ...(work.restricted !== undefined && {
        permissions: { restricted: work.restricted, whenRestricted: 'escalate' },
      }),
    });
    if (answer.type === 'enrolled') return answer.worker;
    // An existing worker: kept for more work, or started by an attempt that crashed.
    const existing = answer.by === undefined ? undefined : await queue.worker(answer.by);
    return existing ?? answer.message;
  }

  /** Waits until all have ended or one of them asks. */
  async function waitFor(
    started: readonly Started[],
    session: SessionId,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const rows = started.flatMap((one) => ('job' in one ? [one.job] : []));
    const dropped = Promise.withResolvers<void>();
    const problem = (error: unknown) =>
      parts.onProblem(`cancelling what works for session ${session} failed`, { session, error: String(error) });
    const stop = () => {
      // The process is exiting, or another one owns the session now. A repeated call finds the jobs unchanged.
      if (signal.reason === 'dropped') dropped.resolve();
      else canceller.jobs(rows, 'the session it works for was interrupted').catch(problem);
    };
    const settled = new AbortController();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    escalations.attend(session, started);
    const stopWatching = heldUp.watch(session);
    await Promise.race([
      Promise.all(rows.map(({ id }) => endings.wait(id))),
      escalations.raised(session, settled.signal),
      dropped.promise,
    ]);
    settled.abort();
    const asked = signal.aborted ? [] : escalations.open(session);
    if (asked.length === 0) {
      if (signal.reason !== 'dropped') await Promise.all(rows.map(({ id }) => endings.wait(id)));
      escalations.attend(session, []);
    }
    stopWatching();
    signal.removeEventListener('abort', stop);
    if (signal.aborted) return { type: 'cancelled' };
    const outcome = await delegateResult(parts, started);
    return asked.length === 0 ? outcome : withQuestions(outcome, asked);
  }

  async function decide(given: unknown, { state }: DelegateHost, signal: AbortSignal): Promise<ToolResult> {
    const decided = parseDecided(given);
    if (typeof decided === 'string') return { type: 'error', code: 'invalid-arguments', message: decided };
    const problem = await decideForWorker(parts, escalations, state, decided);
    const waiting = escalations.attended(state.id);
    if (problem !== undefined) return { type: 'error', code: 'not-decided', message: problem };
    if (waiting.length === 0) return { type: 'success', output: `Question ${decided.question} is answered.` };
    return waitFor(waiting, state.id, signal);
  }

  return {
    tools: [
      {
        name: 'delegate',
        description:
          'Gives work to one or several workers, in parallel or one after another. Each is a separate session. Waits for them by default.',
        parameters: delegateParameters,
        describe(args) {
          const parsed = parseDelegate(args);
          return 'code' in parsed ? { ...asJob, problem: parsed } : asJob;
        },
        run: runsAsJob,
      },
      {
        name: 'decide',
        description: 'Answers a worker that asks whether it may make a call, and waits for the workers again.',
        parameters: decideParameters,
        describe(args) {
          const parsed = parseDecided(args);
          if (typeof parsed !== 'string') return asJob;
          return { ...asJob, problem: { code: 'invalid-arguments', message: parsed } };
        },
        run: runsAsJob,
      },
    ],
    async isOffered({ id, parent }) {
      if (parent === undefined) return true;
      const [worker] = await queue.workers({ session: id });
      return worker === undefined || (worker.maySpawn && worker.depth < settings.maxDepth);
    },
    async run(call, host, { signal }) {
      const text = typeof call.args === 'string' ? call.args : await host.read(call.args);
      const given: unknown = JSON.parse(text === '' ? '{}' : text);
      if (call.tool === 'decide') return decide(given, host, signal);
      const args = parseDelegate(given);
      if ('code' in args) return { type: 'error', ...args };
      const started = await start(call, host, args);
      const isAnyStarted = started.some((one) => 'job' in one);
      return !args.wait && isAnyStarted ? startedResult(started) : waitFor(started, host.session, signal);
    },
  };
}

const asJob = { access: 'talk', repeat: 'safe', order: 'parallel', runs: 'job' } as const;

const runsAsJob = (): Promise<ToolResult> =>
  Promise.resolve({ type: 'error', code: 'no-workers', message: 'This tool runs as a job.' });

function requestOf(
  work: DelegatedWork,
  worker: WorkerRow,
  batch: {
    readonly jobIds: ReadonlyMap<string, JobId>;
    readonly refused: ReadonlyMap<string, string>;
    readonly effect: EffectId | undefined;
    readonly args: DelegateArguments;
  },
): LaunchRequest {
  const { tokens, cost, toolCalls, minutes, role, objective } = work;
  const id = batch.jobIds.get(work.name) as JobId;
  const after = work.after
    .filter((name) => !batch.refused.has(name))
    .map((name) => batch.jobIds.get(name) as JobId);
  return {
    id,
    worker,
    prompt: role === undefined ? objective : `You are ${role}.\n\n${objective}`,
    after,
    whenDependencyFails: batch.args.whenDependencyFails,
    key: `${batch.effect ?? id}/${work.name}`,
    ...(minutes !== undefined && { timeoutMs: minutes * 60_000 }),
    allotment: {
      ...optional({ tokens, cost, toolCalls }),
    },
  };
}

const nameOf = (key = '') => key.slice(key.indexOf('/') + 1);

function modelFor(work: DelegatedWork, { agent }: State): { model?: string } {
  const model = work.model ?? (work.agent === undefined ? agent.model : undefined);
  return model === undefined ? {} : { model };
}

function effectOf(state: State, call: Call): EffectId | undefined {
  const activity = turnOf(state)?.activity;
  if (activity?.type !== 'running-calls') return undefined;
  const running = activity.calls.find((one) => one.type === 'running' && one.call.id === call.id);
  return running?.type === 'running' ? running.effect : undefined;
}

/** Dependencies come first, so that a refusal reaches everything that depends on it. */
function inOrder(workers: readonly DelegatedWork[]): readonly DelegatedWork[] {
  const done = new Set<string>();
  const ordered: DelegatedWork[] = [];
  while (ordered.length < workers.length) {
    for (const work of workers) {
      if (done.has(work.name) || work.after.some((name) => !done.has(name))) continue;
      done.add(work.name);
      ordered.push(work);
    }
  }
  return ordered;
}
