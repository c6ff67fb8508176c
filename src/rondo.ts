/**
 * The library's entry point, and the only place that creates adapters and wires them together.
 *
 *     await using rondo = await createRondo({ store: 'sqlite:./rondo.db' });
 *     const session = await rondo.sessions.create({ agent: 'assistant', cwd: '.' });
 *     const reply = await session.chat('What changed since yesterday?');
 */
import path from 'node:path';

import { createBriefing } from './assembly/agents/briefing.ts';
import { cappedStep } from './assembly/sessions/capped-step.ts';
import { chosenId } from './assembly/sessions/chosen-id.ts';
import { configureSession } from './assembly/configure-session.ts';
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
import { lazySessionStore } from './assembly/sessions/lazy-session-store.ts';
import { lazySpans } from './assembly/sessions/lazy-spans.ts';
import { createModelIdentities } from './assembly/sessions/model-identities.ts';
import { leasedAgents } from './assembly/tools/leased-tools.ts';
import { placeSession } from './assembly/sessions/place-session.ts';
import {
  mostLiveSessions,
  type ContinueOptions,
  type CreateOptions,
  type RondoOptions,
} from './assembly/rondo-options.ts';
import { surroundingsOf } from './assembly/tools/session-tools.ts';
import { withDelegate } from './assembly/tools/with-delegate.ts';
import { withRecall } from './assembly/tools/with-recall.ts';
import type { Intent } from './intent/words/intent.ts';
import type { Commit, DirectoryPage, DirectoryQuery, DirectoryText, QuestionEntry } from './ports/journal.ts';
import { rondoVersion } from './journal/rondo-version.ts';
import type { Actor } from './kernel/actor.ts';
import { Fault } from './kernel/fault.ts';
import type { SessionId } from './kernel/ids.ts';
import { turnOf, type State } from './kernel/state.ts';
import { step as kernelStep } from './kernel/decide/step.ts';
import type { TurnReason } from './ports/session-client.ts';
import { childDeadline } from './processes/deadline.ts';
import type { Logger } from './ports/logger.ts';
import { createRuntime } from './runtime/runtime.ts';
import { createSystemClock } from './runtime/system-clock.ts';
import { createSystemIds } from './runtime/system-ids.ts';
import { findSession, noSession } from './session/read/find-session.ts';
import { forkSession, type ForkOptions } from './session/branch/fork-session.ts';
import { loadSession } from './session/read/load-session.ts';
import { sendInput } from './session/handle/send-input.ts';
import { stateOf, type AccessParts } from './session/handle/session-place.ts';
import { createSession, type Session } from './session/handle/session.ts';
import { createSessions } from './session/ownership/create-sessions.ts';
import type { SessionStore } from './upkeep/session-store.ts';
import { openQuestionsOf, type OpenQuestion } from './views/open-question.ts';
import type { Groups } from './workers/group.ts';
import type { Jobs as WorkerJobs } from './workers/jobs.ts';
import { defaultJobSettings } from './workers/worker-parts.ts';
import type { Workers } from './workers/workers.ts';
import { createWorkforce, type Workforce } from './workers/workforce.ts';
import { optional } from './kernel/optional.ts';

// Types for programs that use sessions,
export type { AgentOptions, AgentSource } from './assembly/agents/agent-source.ts';
export type { Executor, ExecutorOptions } from './assembly/executor.ts';
export type { ContinueOptions, CreateOptions, RondoOptions } from './assembly/rondo-options.ts';
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
  readonly sessions: {
    /**
     * Creates a session. It is written with its first input, so an unused session leaves no trace. `persist` writes
     * it now.
     */
    create(options?: CreateOptions): Promise<Session>;
    /**
     * Creates a session under a key and writes it at once. Repeating the key, in any process, returns the same
     * session.
     */
    createOnce(
      options: () => Promise<CreateOptions>,
      creation: { readonly key: string; readonly digest: string },
    ): Promise<CreatedOnce>;
    /** By id, by a unique prefix of one, or `latest`. Rejects with a `Fault` if there is none. */
    open(id: string): Promise<Session>;
    get(id: string): Promise<Session | undefined>;
    list(query?: DirectoryQuery): Promise<DirectoryPage>;
    /** The same page as JSON, for forwarding. */
    listText(query: DirectoryQuery): Promise<DirectoryText>;
    /** Continues an imported session. A person chooses its whole setup, as for a new one. */
    continue(id: string, options?: ContinueOptions): Promise<Session>;
    /** Creates a session that continues from another one, or from an earlier event of it. It shares the history. */
    fork(id: string, options?: ForkOptions): Promise<Session>;
  } & SessionStore;
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
  /** Calls the listener after each commit by any process of this store. */
  onCommit(listener: (commit: Commit) => void): () => void;
  /** Takes over work whose owner is gone, and due timers. */
  adopt(): Promise<readonly SessionId[]>;
  /**
   * Ends what runs here and releases every session and job, so that any process can continue them. This process
   * continues once the returned function is called. For a process that is about to be stopped (SIGTSTP).
   */
  pause(): Promise<() => void>;
  /** Stops accepting input, waits for running work until the deadline, then drops it. All of it can be resumed. */
  close(options?: CloseOptions): Promise<void>;
}

/** The result of `sessions.createOnce`. */
export type CreatedOnce =
  | { readonly type: 'created'; readonly session: Session }
  /** The key already created another session, with other options. */
  | { readonly type: 'conflict'; readonly session: SessionId };

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
const library: Actor = { type: 'program', name: 'library' };

/** Opens the store and recovers what a dead process left. `await using` closes it. */
export async function createRondo(options: RondoOptions = {}): Promise<Rondo> {
  const clock = options.clock ?? createSystemClock();
  const ids = options.ids ?? createSystemIds(() => clock.now());
  const logger = options.logger ?? quiet;
  const agents = await agentsFrom(options, clock);
  const agentsIn = (cwd: string) => agents.in?.(cwd) ?? agents;
  const { delegate = options.tools === undefined && options.agents === undefined, ...jobSettings } =
    options.workers ?? {};
  const ownTools = toolsFrom(options, clock);
  const store = await storeFrom(options.store ?? 'memory:');
  const tools = delegate
    ? withDelegate(
        withRecall(ownTools, () => store.blobs),
        () => workforce().delegation,
      )
    : ownTools;

  const toolNames = async (state: State) => (await tools.offered(state)).map(({ name }) => name);

  const compiled = new Map<SessionId, (state: State) => Promise<string> | undefined>();
  const briefing = createBriefing(agentsIn, toolNames, (state) => compiled.get(state.id)?.(state));

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
    ...(options.managed !== undefined && { managedRules: options.managed.rules }),
    ...(options.approve !== undefined && { approver: options.approve === 'all' ? approveAll : options.approve }),
    ...optional({ approvesAs: options.approvesAs }),
    agents: leasedAgents(options.externalAgents ?? hosted, options.worktrees?.hold),
    jobs: options.jobs ?? { run: (...given) => workforce().delegation.run(...given) },
    ...optional({ telemetry: options.telemetry, checkpoints: options.checkpoints }),
  });
  const spans = lazySpans(rondoVersion, identities.identify);
  // Children end with this process's lease, even if the process is stopped and can't end them (O6).
  const stopKeeping = store.leases.onRenewed((ms) => childDeadline.extend(ms));
  const sessions = createSessions({
    store,
    interpreter: runtime,
    step: cappedStep(options.step ?? kernelStep, options.managed?.limits ?? {}),
    clock,
    killOrphans: options.killOrphans ?? killMarkedProcesses,
    onProblem: (message, fields) => logger.log('error', message, fields),
    onEvent(session, recorded, state) {
      if (state.workers.length > 0) workforce().saw(session, recorded, state);
      spans.saw(session, recorded, state);
      if (recorded.event.type === 'session-closed') {
        compiled.delete(session);
        void hosted.release(session);
      }
      options.onEvent?.(session, recorded, state);
    },
    hibernateAfterMs: options.hibernateAfterMs ?? 30_000,
    maxLive: options.maxLiveSessions ?? mostLiveSessions,
  });
  const accessParts: AccessParts = {
    store,
    sessions,
    interpreter: runtime,
    clock,
    unique: () => ids.unique(),
    agent: briefing.ref,
    understand: briefing.prompted,
    expand: briefing.expand,
    heldUpBy: (id) => workforce().heldUpBy(id),
    async modelProblem(agent, cwd) {
      const model = await resolveModel(agent, cwd);
      return typeof model === 'string' ? model : undefined;
    },
    ...optional({ inputs: options.inputs }),
    offered: async (state) => tools.offered(state),
    ...(options.links !== undefined && { links: options.links }),
    followerLimit: options.followerLimit ?? 10_000,
  };
  const placeOf = (id: SessionId) => ({ id, parts: accessParts });
  const handle = (id: SessionId): Session =>
    createSession(placeOf(id), {
      close: () => sessions.release(id),
      fork: (given) => fork(id, given),
      why: (event) => why(id, event),
      export: (given) => stored.export(id, given),
      async sendTo(to, input, given) {
        const isThere = to !== id && (sessions.live(to) ?? (await store.journal.head(to))) !== undefined;
        return sendInput(placeOf(isThere ? to : id), input, given ?? {});
      },
      questionsBelow: () => questionsBelow(id),
    });
  let workforceMade: Workforce | undefined;
  const workforce = () =>
    (workforceMade ??= createWorkforce({
      queue: store.jobs,
      journal: store.journal,
      clock,
      ids,
      sessions: {
        create: (setup) => create(setup),
        open: handle,
        state: (id) => stateOf(placeOf(id)),
        isAsking: (id) => runtime.isAsking(id),
        heldUp: (id, questions) => sessions.live(id)?.holdUp(questions),
        hasAgent: async (name, cwd = '.') => (await (await agentsIn(path.resolve(cwd))).get(name)) !== undefined,
      },
      onProblem: (message, fields) => logger.log('error', message, fields),
      settings: { ...defaultJobSettings, ...jobSettings },
    }));

  async function createOnce(
    setup: () => Promise<CreateOptions>,
    creation: { readonly key: string; readonly digest: string },
  ): Promise<CreatedOnce> {
    const before = async (): Promise<CreatedOnce | undefined> => {
      const made = await store.journal.createdWith(creation.key);
      if (made === undefined) return undefined;
      if (made.digest !== creation.digest) return { type: 'conflict', session: made.session };
      return { type: 'created', session: handle(made.session) };
    };
    const known = await before();
    if (known !== undefined) return known;
    const session = await create(await setup(), creation);
    try {
      await session.persist();
      return { type: 'created', session };
    } catch (error) {
      // Another caller created it first with the same key.
      const first = await before();
      if (first === undefined) throw error;
      return first;
    }
  }

  async function create(
    setup: CreateOptions = {},
    creation?: { readonly key: string; readonly digest: string },
  ): Promise<Session> {
    const cwd = path.resolve(setup.cwd ?? '.');
    const configured = await configureSession(setup, await agentsIn(cwd), options.limits);
    const id =
      setup.id === undefined
        ? ids.session()
        : await chosenId(setup.id, {
            isLive: (one) => sessions.live(one) !== undefined,
            journal: store.journal,
          });
    const place = { cwd, session: id, worktree: setup.worktree ?? false, at: clock.now() };
    sessions.create(
      id,
      { ...configured, cwd: await placeSession(place, options.worktrees, logger) },
      setup.by ?? library,
      creation,
    );
    return handle(id);
  }

  async function continueImported(id: SessionId, setup: ContinueOptions = {}): Promise<Session> {
    const cwd = path.resolve(setup.cwd ?? '.');
    const configured = await configureSession(setup, await agentsIn(cwd), options.limits);
    const { agent, mode, limits, rules } = configured;
    const session = handle(id);
    const receipt = await session.send(
      {
        type: 'continue',
        agent,
        mode,
        cwd,
        ...optional({ limits, rules }),
      },
      { by: setup.by ?? library },
    );
    if (receipt.type === 'accepted') return session;
    throw new Fault('not-found', `Continuing session ${id}: ${receipt.refusal.message}.`);
  }

  const stored = lazySessionStore({
    store,
    clock,
    newId: () => ids.session(),
    ...optional({ secrets: options.secrets }),
    release: (session) => sessions.release(session),
    ...(options.checkpoints !== undefined && { forget: options.checkpoints.forget }),
  });

  async function fork(id: SessionId, given: ForkOptions = {}): Promise<Session> {
    await sessions.live(id)?.persist();
    const parts = { store, newId: () => ids.session(), now: () => clock.now() };
    return handle((await forkSession(parts, id, given)).session);
  }

  /** Reading a session's state doesn't open it. */
  async function lastState(id: SessionId): Promise<State> {
    const state = sessions.live(id)?.context.state ?? (await loadSession(store.journal, id))?.state;
    if (state === undefined) throw noSession(id);
    return state;
  }

  async function why(id: SessionId, event?: number): Promise<TurnReason | undefined> {
    const [{ whyTurn }, { shippedCompilation }] = await Promise.all([
      import('./assembly/why-turn.ts'),
      import('./assembly/agents/turn-compilation.ts'),
    ]);
    const { agent, cwd } = await lastState(id);
    const turns = (await (await agentsIn(cwd)).turns?.()) ?? shippedCompilation();
    const place = { tools: agent.tools ?? 'all', cwd, turns, event };
    return whyTurn((range) => store.journal.read(id, range), place);
  }

  async function questionsBelow(id: SessionId): Promise<readonly OpenQuestion[]> {
    const open = await workforce().jobs.questions(id);
    const below = new Set(open.map(({ session }) => session).filter((session) => session !== id));
    const states = await Promise.all([...below].map(lastState));
    return states.flatMap(openQuestionsOf);
  }

  async function find(id: string): Promise<SessionId | undefined> {
    return sessions.live(id as SessionId)?.id ?? findSession(store.journal, id);
  }

  async function close(given: CloseOptions = {}): Promise<void> {
    const { deadline = 0, cancel = false, endWithin = 5000, handOver = false } = given;
    await Promise.all([
      workforceMade?.close({ deadline, cancel }),
      sessions.drain({ deadline, cancel, endWithin, handOver }),
    ]);
    await sessions[Symbol.asyncDispose]();
    workforceMade?.endWaiting();
    stopKeeping();
    childDeadline.lift();
    await hosted[Symbol.asyncDispose]();
    await Promise.all([store[Symbol.asyncDispose](), tools[Symbol.asyncDispose]()]);
  }

  return {
    sessions: {
      create: (setup) => create(setup),
      createOnce,
      async open(id) {
        const found = await find(id);
        if (found !== undefined) return handle(found);
        throw noSession(id);
      },
      async get(id) {
        const found = await find(id);
        return found === undefined ? undefined : handle(found);
      },
      list: (query = {}) => store.journal.list(query),
      listText: (query) => store.journal.listText(query),
      ...stored,
      async continue(id, given) {
        const found = await find(id);
        if (found === undefined) throw noSession(id);
        return continueImported(found, given);
      },
      async fork(id, given) {
        const found = await find(id);
        if (found === undefined) throw noSession(id);
        return fork(found, given);
      },
    },
    get workers() {
      return workforce().workers;
    },
    get jobs() {
      return workforce().jobs;
    },
    get groups() {
      return workforce().groups;
    },
    questions: (query = {}) => store.journal.openQuestions(query),
    onCommit: (listener) => store.journal.onCommit(listener),
    async executor({ transducer, configFactory, promptCompiler, ...setup } = {}) {
      const { createExecutor } = await import('./assembly/executor.ts');
      const parts = {
        ...optional({ transducer, configFactory, promptCompiler }),
      };
      const isOwn = Object.keys(parts).length > 0;
      const session = await create(setup);
      const own = await agentsIn(path.resolve(setup.cwd ?? '.'));
      const stateNow = async () => sessions.live(session.id)?.context.state ?? stateOf(placeOf(session.id));
      const name = setup.agent ?? agents.defaultAgent;
      const prompt = (await own.get(name))?.prompt;
      const { system, ...executor } = createExecutor({
        session,
        cwd: path.resolve(setup.cwd ?? '.'),
        workers: workforce().workers,
        agent: name,
        hasAgent: async (name) => (await own.get(name)) !== undefined,
        turns: own.turns,
        tools: async () => toolNames(await stateNow()),
        canAsk: async () => (await stateNow()).mode.asks === 'anyone',
        unique: () => ids.unique().slice(-8),
        ...(isOwn && { own: parts }),
        ...(typeof prompt === 'string' && { opening: prompt }),
      });
      if (isOwn)
        compiled.set(session.id, (state) => {
          const intent = turnOf(state)?.intent;
          return intent === undefined ? undefined : system(intent as Intent);
        });
      return executor;
    },
    async adopt() {
      const adopted = await sessions.adopt();
      await workforce().serve();
      return adopted;
    },
    async pause() {
      const resumes = await Promise.all([workforceMade?.pause(), sessions.pause()]);
      return () => {
        for (const resume of resumes) resume?.();
      };
    },
    close,
    [Symbol.asyncDispose]: () => close(),
  };
}
