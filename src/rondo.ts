/**
 * The library's entry point, and the only place that creates adapters and wires them together.
 *
 *     await using rondo = await createRondo({ store: 'sqlite:./rondo.db' });
 *     const session = await rondo.sessions.create({ agent: 'assistant', cwd: '.' });
 *     const reply = await session.chat('What changed since yesterday?');
 */
import path from 'node:path';

import { createBriefing } from './assembly/agents/briefing.ts';
import { mentionedSessions } from './assembly/agents/mentioned-sessions.ts';
import { cappedStep } from './assembly/sessions/capped-step.ts';
import {
  agentsFrom,
  approveAll,
  killMarkedProcesses,
  modelsFrom,
  storeFrom,
  toolsFrom,
} from './assembly/default-parts.ts';
import type { Executor, ExecutorOptions } from './assembly/executor.ts';
import { lazyExternalAgents } from './assembly/agents/external-agents.ts';
import { createPlaceKeeper } from './assembly/sessions/keep-places.ts';
import { lazyPlaces } from './assembly/sessions/lazy-places.ts';
import { lazySpans } from './assembly/sessions/lazy-spans.ts';
import { createModelIdentities } from './assembly/sessions/model-identities.ts';
import { leasedAgents } from './assembly/tools/leased-tools.ts';
import { mostLiveSessions, type RondoOptions } from './assembly/rondo-options.ts';
import { surroundingsOf } from './assembly/tools/session-tools.ts';
import { delegateSource } from './assembly/tools/delegate-source.ts';
import { recallSource } from './assembly/tools/recall-source.ts';
import { toolPipeline } from './assembly/tools/tool-pipeline.ts';
import { createSessionOperations, type RondoSessions } from './assembly/session-operations.ts';
import type { Commit, QuestionEntry } from './ports/journal.ts';
import type { ClaimableSession } from './ports/lease.ts';
import { rondoVersion } from './journal/rondo-version.ts';
import { machineLabel } from './kernel/agent.ts';
import type { SessionId } from './kernel/ids.ts';
import { thisMachine } from './assembly/sessions/this-machine.ts';
import type { State } from './kernel/state.ts';
import { step as kernelStep } from './kernel/decide/step.ts';
import { childDeadline } from './processes/deadline.ts';
import type { Logger } from './ports/logger.ts';
import { createRuntime } from './runtime/runtime.ts';
import { createSystemClock } from './runtime/system-clock.ts';
import { createSystemIds } from './runtime/system-ids.ts';
import { stateOf, type AccessParts } from './session/handle/session-place.ts';
import { createSessions } from './session/ownership/create-sessions.ts';
import { findGoneMachine, findMissingLabels, findServing } from './session/ownership/serving.ts';
import type { Groups } from './workers/group.ts';
import type { Jobs as WorkerJobs } from './workers/jobs.ts';
import { defaultJobSettings } from './workers/worker-parts.ts';
import type { Workers } from './workers/workers.ts';
import { createWorkforce } from './workers/workforce.ts';
import { optional } from './kernel/optional.ts';

// Types for programs that use sessions,
export type { AgentOptions, AgentSource } from './assembly/agents/agent-source.ts';
export type { Executor, ExecutorOptions } from './assembly/executor.ts';
export type { ContinueOptions, CreateOptions, RondoOptions } from './assembly/rondo-options.ts';
export type { CreatedOnce, RondoSessions } from './assembly/session-operations.ts';
export type { Intent } from './intent/words/intent.ts';
export type { DirectoryPage, DirectoryQuery, QuestionEntry } from './ports/journal.ts';
export type { Actor } from './kernel/actor.ts';
export { Fault } from './kernel/fault.ts';
export type { QuestionId, SessionId } from './kernel/ids.ts';
export type { Limits } from './kernel/limits.ts';
export { modes, type Mode } from './kernel/mode.ts';
export type { Usage } from './kernel/outcome.ts';
export type { Answer, Question } from './kernel/question.ts';
export type { Rule } from './kernel/rule.ts';
export type { Approver } from './runtime/capabilities.ts';
export { createAgentSessions, type AgentSessions } from './session/handle/agent-sessions.ts';
export type { ClientInput } from './session/client-input.ts';
export type { FollowOptions } from './session/follow/follow-into.ts';
export type { ForkOptions } from './session/branch/fork-session.ts';
export { inputType, type InputPlace, type InputType } from './session/input-type.ts';
export { interactiveTalk, type InteractiveTalkBuilder } from './session/talk/interactive-talk.ts';
export { createHeadlessIo, createLineIo, serveIo, type HeadlessIo, type Io } from './session/talk/io.ts';
export { filterIo, filterPrompts, filterText, type IoFilters } from './session/talk/io-filters.ts';
export type { Receipt } from './session/receipt.ts';
export type { RewindOptions, RewindResult } from './session/branch/rewind-session.ts';
export type { RunOptions } from './session/handle/run-inputs.ts';
export type { ChatOptions, Reply, SendOptions, Session } from './session/handle/session.ts';
export { createTalk, type Talk, type TalkContext } from './session/talk/talk.ts';
export type { Progress, SnapshotView, Update } from './session/update.ts';
export type { Result } from './views/result.ts';
export type { Status } from './views/status.ts';
export type { TranscriptPage } from './views/transcript-page.ts';
export type { Groups } from './workers/group.ts';
export type { Jobs } from './workers/jobs.ts';
export type { Workers } from './workers/workers.ts';
// for programs with their own model, tool, store or clock,
export type { Store } from './ports/store.ts';
export type { CallFacts } from './kernel/call.ts';
export type { ToolResult } from './kernel/outcome.ts';
export type { Clock } from './ports/clock.ts';
export type { Ids } from './ports/ids.ts';
export type { Logger } from './ports/logger.ts';
export type { Model, ModelRequest, ModelResult, ModelSink } from './ports/model.ts';
export type { Tool, ToolContext, ToolRun, ToolSpec } from './ports/tool.ts';
// or with their own `step`.
export type { Decision } from './kernel/decision.ts';
export type { Event, Recorded } from './kernel/event.ts';
export { evolve } from './kernel/evolve/evolve.ts';
export type { Input } from './kernel/input.ts';
export { timeAt, type Time } from './kernel/time.ts';
export type { State } from './kernel/state.ts';
export { step, type Step, type Transition } from './kernel/decide/step.ts';

/** The sessions of one store, with workers and jobs. Several processes may open the same store. */
export interface Rondo extends AsyncDisposable {
  readonly sessions: RondoSessions;
  /** Named workers: an agent, a model and a history, used for any number of jobs. */
  readonly workers: Workers;
  readonly jobs: WorkerJobs;
  /** Several agents under one session, each with a role. */
  readonly groups: Groups;
  /**
   * Turns sentences into configured turns in a new session, or into sub-agents. A program may provide its own
   * parts.
   */
  executor(options?: ExecutorOptions): Promise<Executor>;
  /** Open questions of all sessions, or of one. */
  questions(query?: { readonly session?: SessionId }): Promise<readonly QuestionEntry[]>;
  /** Resolves once the files of a session's repository are saved and its result is pushed. */
  filesSettled(session: SessionId): Promise<void>;
  /** Calls the listener after each commit by any process of this store. */
  onCommit(listener: (commit: Commit) => void): () => void;
  /** Takes over work whose owner is gone, and due timers. */
  adopt(rank?: (session: ClaimableSession) => number): Promise<readonly SessionId[]>;
  /**
   * Ends what runs here and releases every session and job, so that any process can continue them. This process
   * continues once the returned function is called. For a process that is about to be stopped (SIGTSTP).
   */
  pause(): Promise<() => void>;
  /** Stops accepting input, waits for running work until the deadline, then drops it. All of it can be resumed. */
  close(options?: CloseOptions): Promise<void>;
}

/** How long `close` waits for running turns. */
export interface CloseOptions {
  /** Milliseconds to wait for running turns. Default 0. */
  readonly deadline?: number;
  /** Cancels running turns instead of leaving them to be resumed. */
  readonly cancel?: boolean;
  /** Milliseconds to wait for cancelled tools to end. Default 5000. */
  readonly endWithin?: number;
  /**
   * Other nodes are ready to take over: idle sessions are released at once, busy ones as soon as their turn ends.
   */
  readonly handOver?: boolean;
}

const quiet: Logger = { log: () => undefined };

/** Opens the store and recovers what a dead process left. `await using` closes it. */
export async function createRondo(options: RondoOptions = {}): Promise<Rondo> {
  const clock = options.clock ?? createSystemClock();
  const ids = options.ids ?? createSystemIds(() => clock.now());
  const logger = options.logger ?? quiet;
  const offers =
    options.labels === 'any' ? undefined : [...new Set([...(options.labels ?? []), machineLabel(thisMachine())])];
  const agents = await agentsFrom(options, clock);
  const agentsIn = (cwd: string) => agents.in?.(cwd) ?? agents;
  const { delegate = options.tools === undefined && options.agents === undefined, ...jobSettings } =
    options.workers ?? {};
  const ownTools = toolsFrom(options, clock);
  const store = await storeFrom(options.store ?? 'memory:');
  // Workers run in sessions, and sessions start workers: these members are called once all of it exists.
  const workforce = createWorkforce({
    queue: store.jobs,
    journal: store.journal,
    inbox: store.inbox,
    clock,
    boot: () => store.leases.self.bootId,
    ids,
    sessions: {
      create: (setup) => operations.sessions.create(setup),
      open: (id) => operations.handle(id),
      state: (id) => stateOf({ id, parts: access }),
      isAsking: (id) => runtime.isAsking(id),
      heldUp: (id, questions) => sessions.live(id)?.holdUp(questions),
      hasAgent: async (name, cwd = '.') => (await (await agentsIn(path.resolve(cwd))).get(name)) !== undefined,
    },
    onProblem: (message, fields) => logger.log('error', message, fields),
    settings: { ...defaultJobSettings, ...jobSettings },
  });
  const tools = delegate
    ? toolPipeline([ownTools, recallSource(store.blobs), delegateSource(workforce.delegation)])
    : ownTools;

  const toolNames = async (state: State) => (await tools.offered(state)).map(({ name }) => name);

  const compiled = new Map<SessionId, (state: State) => Promise<string> | undefined>();
  const briefing = createBriefing(
    agentsIn,
    toolNames,
    (state) => compiled.get(state.id)?.(state),
    options.moreRoots,
    async (state) => tools.texts?.(state),
    (text) => mentionedSessions(text, store.journal),
  );

  const hosted = lazyExternalAgents({
    clock,
    env: process.env,
    agent: async (name, state) => (await agentsIn(state.cwd)).get(name),
    surroundings: (state) => surroundingsOf(tools, state),
    managedRules: options.managed?.rules ?? [],
    ...optional({ settings: options.acp, life: options.agentLife, secrets: options.secrets }),
  });
  const resolveModel = modelsFrom(options, clock);
  const identities = createModelIdentities(resolveModel);
  const runtime = createRuntime({
    clock,
    logger,
    models: { resolve: identities.resolve },
    tools,
    briefing,
    ...optional({ managedRules: options.managed?.rules }),
    ...(options.approve !== undefined && { approver: options.approve === 'all' ? approveAll : options.approve }),
    ...optional({ approvesAs: options.approvesAs }),
    agents: leasedAgents(options.externalAgents ?? hosted, options.worktrees?.hold),
    jobs: options.jobs ?? workforce.delegation,
    ...optional({ telemetry: options.telemetry, checkpoints: options.checkpoints }),
  });
  const spans = lazySpans(rondoVersion, identities.identify);
  const places = lazyPlaces(options, store);
  const keeper = createPlaceKeeper({
    places,
    live: (session) => sessions.live(session),
    leases: store.leases,
    clock,
    logger,
  });
  // Children end with this process's lease, even if the process is stopped and can't end them (O6).
  const stopKeeping = store.leases.onRenewed((ms) => childDeadline.extend(ms));
  const sessions = createSessions({
    store,
    interpreter: runtime,
    step: cappedStep(options.step ?? kernelStep, options.managed?.limits ?? {}),
    clock,
    killOrphans: options.killOrphans ?? killMarkedProcesses,
    place: keeper,
    onProblem: (message, fields) => logger.log('error', message, fields),
    onEvent(session, recorded, state) {
      workforce.saw(session, recorded, state);
      spans.saw(session, recorded, state);
      keeper.saw(session, recorded, state);
      if (recorded.event.type === 'session-closed') {
        compiled.delete(session);
        void hosted.release(session);
      }
      options.onEvent?.(session, recorded, state);
    },
    hibernateAfterMs: options.hibernateAfterMs ?? 30_000,
    maxLive: options.maxLiveSessions ?? mostLiveSessions,
    ...optional({ offers }),
  });
  const access: AccessParts = {
    store,
    sessions,
    interpreter: runtime,
    clock,
    unique: () => ids.unique(),
    agent: briefing.ref,
    understand: briefing.prompted,
    expand: briefing.expand,
    heldUpBy: workforce.heldUpBy,
    async modelProblem(agent, cwd) {
      const model = await resolveModel(agent, cwd);
      return typeof model === 'string' ? model : undefined;
    },
    serving: (session) => findServing(store, session, offers),
    missingLabels: (session) => findMissingLabels(store.nodes, session, offers),
    goneMachine: ({ machine }) => findGoneMachine(store.nodes, machine, thisMachine()),
    ...optional({ inputs: options.inputs }),
    offered: async (state) => tools.offered(state),
    ...optional({ links: options.links }),
    followerLimit: options.followerLimit ?? 10_000,
  };
  const operations = createSessionOperations({
    access,
    options,
    ids,
    logger,
    agentsIn,
    places,
    questions: workforce.jobs.questions,
  });

  async function close(given: CloseOptions = {}): Promise<void> {
    const { deadline = 0, cancel = false, endWithin = 5000, handOver = false } = given;
    const problems: unknown[] = [];
    // A failed step keeps none of the others from its turn: a store that stays open keeps its sessions and jobs.
    const done = async (step: PromiseLike<unknown> | undefined) => {
      try {
        await step;
      } catch (error) {
        problems.push(error);
      }
    };
    await Promise.all([
      done(workforce.close({ deadline, cancel })),
      done(sessions.drain({ deadline, cancel, endWithin, handOver })),
    ]);
    await done(sessions[Symbol.asyncDispose]());
    workforce.endWaiting();
    stopKeeping();
    childDeadline.lift();
    await done(hosted[Symbol.asyncDispose]());
    await Promise.all([done(store[Symbol.asyncDispose]()), done(tools[Symbol.asyncDispose]())]);
    if (problems.length > 0) throw problems[0];
  }

  return {
    sessions: operations.sessions,
    workers: workforce.workers,
    jobs: workforce.jobs,
    groups: workforce.groups,
    questions: (query = {}) => store.journal.openQuestions(query),
    filesSettled: (session) => keeper.settled(session),
    onCommit: (listener) => store.journal.onCommit(listener),
    async executor(setup = {}) {
      const { openExecutor } = await import('./assembly/open-executor.ts');
      const cwd = path.resolve(setup.cwd ?? '.');
      const session = await operations.sessions.create(setup);
      return openExecutor(setup, {
        session,
        cwd,
        agents: await agentsIn(cwd),
        workers: workforce.workers,
        state: async () => sessions.live(session.id)?.context.state ?? stateOf({ id: session.id, parts: access }),
        toolNames,
        unique: () => ids.unique(),
        compileWith: (id, system) => compiled.set(id, system),
      });
    },
    async adopt(rank) {
      const adopted = await sessions.adopt(rank);
      await workforce.serve();
      return adopted;
    },
    async pause() {
      const resumes = await Promise.all([workforce.pause(), sessions.pause()]);
      return () => {
        for (const resume of resumes) resume();
      };
    },
    close,
    [Symbol.asyncDispose]: () => close(),
  };
}
