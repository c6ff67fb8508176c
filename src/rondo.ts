/**
 * The library's front door, and the one place where adapters are made and joined.
 *
 *     await using rondo = await createRondo({ store: 'sqlite:./rondo.db' });
 *     const session = await rondo.sessions.create({ agent: 'assistant', cwd: '.' });
 *     const reply = await session.chat('What changed since yesterday?');
 */
import path from 'node:path';

import type { AcpSettings } from './acp/client/agent-spec.ts';
import { agentRefOf, agentTable, type AgentOptions, type AgentSource } from './assembly/agent-source.ts';
import type { Executor } from './assembly/executor.ts';
import type { FileCheckpoints } from './assembly/file-checkpoints.ts';
import type { FoundModels } from './assembly/found-models.ts';
import { lazySpans } from './assembly/lazy-spans.ts';
import { leasedAgents, type LeasedTools } from './assembly/leased-tools.ts';
import { placeSession } from './assembly/place-session.ts';
import { lazyExternalAgents } from './assembly/external-agents.ts';
import { fixedTools, lazyTools, type SessionTools } from './assembly/session-tools.ts';
import { withDelegate } from './assembly/with-delegate.ts';
import { withRecall } from './assembly/with-recall.ts';
import type { Commit, DirectoryPage, DirectoryQuery, QuestionEntry } from './journal/journal.ts';
import { rondoVersion } from './journal/rondo-version.ts';
import { parseStoreAddress } from './journal/store-address.ts';
import type { Store } from './journal/store.ts';
import type { Actor } from './kernel/actor.ts';
import type { AgentRef } from './kernel/agent.ts';
import type { Recorded } from './kernel/event.ts';
import { Fault } from './kernel/fault.ts';
import type { SessionId } from './kernel/ids.ts';
import type { Limits } from './kernel/limits.ts';
import { isModeName, modes, type Mode } from './kernel/mode.ts';
import type { ToolAccess } from './kernel/permission.ts';
import type { Rule } from './kernel/rule.ts';
import { turnOf, type State } from './kernel/state.ts';
import { step as kernelStep, type Step } from './kernel/step.ts';
import type { Approver, Capabilities, ExternalAgents, Jobs, Telemetry } from './runtime/capabilities.ts';
import type { Clock } from './runtime/clock.ts';
import type { Ids } from './runtime/ids.ts';
import type { Logger } from './runtime/logger.ts';
import type { Model } from './runtime/model.ts';
import { createRuntime } from './runtime/runtime.ts';
import { createSystemClock } from './runtime/system-clock.ts';
import { createSystemIds } from './runtime/system-ids.ts';
import type { Tool } from './runtime/tool.ts';
import { findSession, noSession } from './session/find-session.ts';
import { forkSession, type ForkOptions } from './session/fork-session.ts';
import { rewindSession } from './session/rewind-session.ts';
import { createSessionAccess } from './session/session-access.ts';
import { createSession, type Session } from './session/session.ts';
import { createSessions } from './session/sessions.ts';
import type { SessionStore } from './upkeep/session-store.ts';
import type { Groups } from './workers/group.ts';
import type { Jobs as WorkerJobs } from './workers/jobs.ts';
import { narrowTools } from './workers/narrow-tools.ts';
import { defaultJobSettings, type JobSettings } from './workers/worker-parts.ts';
import type { Workers } from './workers/workers.ts';
import { createWorkforce, type Workforce } from './workers/workforce.ts';
import type { Worktrees } from './worktrees/worktrees.ts';

// What a program names when it works with sessions or brings its own `step`.
export { evolve } from './kernel/evolve.ts';
export { step, type Step, type Transition } from './kernel/step.ts';
export type { Event, Recorded } from './kernel/event.ts';
export type { Input } from './kernel/input.ts';
export type { State } from './kernel/state.ts';
export type { Model } from './runtime/model.ts';
export type { Tool } from './runtime/tool.ts';
export { modes, type Mode } from './kernel/mode.ts';
export { createAgentSessions, type AgentSessions } from './session/agent-sessions.ts';
export type { ClientInput } from './session/client-input.ts';
export { interactiveTalk, type InteractiveTalkBuilder } from './session/interactive-talk.ts';
export { createTalk, type Talk, type TalkContext } from './session/talk.ts';
export { createHeadlessIo, createLineIo, serveIo, type HeadlessIo, type Io } from './session/io.ts';
export type { Session } from './session/session.ts';
export type { Update } from './session/update.ts';

export interface RondoOptions {
  /** `sqlite:PATH`, `memory:`, or a store of your own. Default: `memory:`. */
  readonly store?: string | Store;
  /** Default: `assistant`, with the built-in tools. */
  readonly agents?: Readonly<Record<string, AgentOptions>> | AgentSource;
  /** By name, or a function from an agent to its model. Default: what keys and servers on this machine offer. */
  readonly models?: Readonly<Record<string, Model>> | Capabilities['models']['resolve'];
  /** Default: none for agents of your own, the built-in ones for `assistant`. */
  readonly tools?: readonly Tool[] | SessionTools;
  /** Answers questions in this program. `all` allows every call that is not denied: for trusted programs. */
  readonly approve?: 'all' | Approver;
  /** Who is recorded as having answered with `approve`. Default: the program. */
  readonly approvesAs?: Actor;
  /** The session's decision, for programs that bring their own. */
  readonly step?: Step;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly logger?: Logger;
  readonly telemetry?: Telemetry;
  /** Keeps files before a turn changes them, for `session.rewind`. Default: they are not kept. */
  readonly checkpoints?: FileCheckpoints;
  /** Hosts agents that run as processes, in place of ours. */
  readonly externalAgents?: ExternalAgents;
  /** Times and sizes that external agents are held to. */
  readonly acp?: Partial<AcpSettings>;
  /** Gives sessions that ask for one a place of their own to work in. */
  readonly worktrees?: Pick<Worktrees, 'open'> & { readonly hold?: LeasedTools['hold'] };
  /** Carries out calls that are jobs, in place of the workers here. */
  readonly jobs?: Jobs;
  /** Limits and times of workers and jobs; `delegate` offers the tool of that name. Default: with the built-in tools. */
  readonly workers?: Partial<JobSettings> & { readonly delegate?: boolean };
  /** Ends processes that a dead owner left running for a session, before it is recovered. */
  readonly killOrphans?: (session: SessionId) => Promise<void>;
  /** Told of every event of every session alive here, after its commit. */
  readonly onEvent?: (session: SessionId, recorded: Recorded, state: State) => void;
  readonly limits?: Partial<Limits>;
  /** Values that are hidden wherever a session is exported, besides what the environment and known shapes give away. */
  readonly secrets?: readonly string[];
  /** How long an idle session stays in memory. */
  readonly hibernateAfterMs?: number;
  readonly maxLiveSessions?: number;
  /** Updates that a follower may fall behind before it gets a gap and a snapshot. */
  readonly followerLimit?: number;
}

export interface CreateOptions {
  readonly agent?: string;
  readonly model?: string;
  readonly mode?: string | Mode;
  readonly cwd?: string;
  /** A git worktree of `cwd`'s repository to work in: a new one, or the one of that name. */
  readonly worktree?: boolean | string;
  readonly title?: string;
  readonly parent?: SessionId;
  readonly limits?: Partial<Limits>;
  readonly rules?: readonly Rule[];
  /** Narrows what the agent may use, never widens it. */
  readonly tools?: ToolAccess;
  readonly by?: Actor;
}

export interface Rondo extends AsyncDisposable {
  readonly sessions: {
    /** Written with its first input, so that an unused session leaves no trace; `persist` writes it at once. */
    create(options?: CreateOptions): Promise<Session>;
    /** Written at once under a key: the same key again, in whatever process, gives the same session. */
    createOnce(
      options: () => Promise<CreateOptions>,
      creation: { readonly key: string; readonly digest: string },
    ): Promise<CreatedOnce>;
    /** By id, by a prefix of one that no other has, or `latest`. Rejects with a `Fault` where there is none. */
    open(id: string): Promise<Session>;
    get(id: string): Promise<Session | undefined>;
    list(query?: DirectoryQuery): Promise<DirectoryPage>;
    /** A new session that goes on where another was, at an earlier event if one is named; it shares its history. */
    fork(id: string, options?: ForkOptions): Promise<Session>;
  } & SessionStore;
  /** Named seats: an agent, a model and a history, used for any number of jobs. */
  readonly workers: Workers;
  readonly jobs: WorkerJobs;
  /** Several agents under one session, each in its role. */
  readonly groups: Groups;
  /** Turns sentences into configured turns in a session of its own, or into sub-agents. */
  executor(options?: CreateOptions): Promise<Executor>;
  /** Open questions of all sessions. */
  questions(): Promise<readonly QuestionEntry[]>;
  /** Told after each commit, whichever process of this store made it. */
  onCommit(listener: (commit: Commit) => void): () => void;
  /** Takes over work whose owner is gone, and timers that are due. */
  adopt(): Promise<readonly SessionId[]>;
  /** Stops intake, lets what runs come to rest until the deadline, then drops it; all of it can be resumed. */
  close(options?: CloseOptions): Promise<void>;
}

export type CreatedOnce =
  | { readonly type: 'created'; readonly session: Session }
  /** The key made another session, for something else. */
  | { readonly type: 'conflict'; readonly session: SessionId };

export interface CloseOptions {
  /** Milliseconds to wait for running turns. Default 0. */
  readonly deadline?: number;
  /** Interrupts running turns instead of leaving them to be resumed. */
  readonly cancel?: boolean;
}

const quiet: Logger = { log: () => undefined };
const library: Actor = { type: 'program', name: 'library' };

export async function createRondo(options: RondoOptions = {}): Promise<Rondo> {
  const clock = options.clock ?? createSystemClock();
  const ids = options.ids ?? createSystemIds(() => clock.now());
  const logger = options.logger ?? quiet;
  const agents = await agentsFrom(options, clock);
  const agentsIn = async (cwd: string) => agents.in?.(cwd) ?? agents;
  const { delegate = options.tools === undefined && options.agents === undefined, ...jobSettings } =
    options.workers ?? {};
  const ownTools = toolsFrom(options, clock);
  const store = await storeFrom(options.store ?? 'memory:');
  const tools = delegate
    ? withDelegate(
        withRecall(ownTools, () => store.blobs),
        () => workforce.delegation,
      )
    : ownTools;

  const toolNames = async (state: State) => (await tools.offered(state)).map(({ name }) => name);

  const agentOf = async (state: State) =>
    (await agentsIn(state.cwd)).get(turnOf(state)?.agent.name ?? state.agent.name);
  const meaningPlace = (state: State) => ({ state, tools: () => toolNames(state) });

  const hosted = lazyExternalAgents({
    clock,
    env: process.env,
    agent: async (name, state) => (await agentsIn(state.cwd)).get(name),
    ...(options.acp !== undefined && { settings: options.acp }),
  });
  const runtime = createRuntime({
    clock,
    logger,
    models: { resolve: modelsFrom(options, clock) },
    tools,
    briefing: {
      async system(state) {
        const agent = await agentOf(state);
        const prompt = agent?.prompt ?? '';
        return typeof prompt === 'string' ? prompt : prompt(state, await toolNames(state));
      },
      roots: (state) => [state.cwd],
      async understand(state, prompt) {
        const agent = await agentOf(state);
        return agent?.askModel?.(prompt, meaningPlace(state));
      },
      async clarified(answer, state) {
        const agent = await agentOf(state);
        return agent?.clarified?.(answer, meaningPlace(state));
      },
    },
    ...(options.approve !== undefined && { approver: options.approve === 'all' ? approveAll : options.approve }),
    ...(options.approvesAs !== undefined && { approvesAs: options.approvesAs }),
    agents: leasedAgents(options.externalAgents ?? hosted, options.worktrees?.hold),
    jobs: options.jobs ?? { run: (...given) => workforce.delegation.run(...given) },
    ...(options.telemetry !== undefined && { telemetry: options.telemetry }),
    ...(options.checkpoints !== undefined && { checkpoints: options.checkpoints }),
  });
  const spans = lazySpans(rondoVersion());
  const sessions = createSessions({
    store,
    interpreter: runtime,
    step: options.step ?? kernelStep,
    clock,
    killOrphans: options.killOrphans ?? killMarkedProcesses,
    onProblem: (message, fields) => logger.log('error', message, fields),
    onEvent(session, recorded, state) {
      workforce.saw(session, recorded, state);
      spans.saw(session, recorded, state);
      if (recorded.event.type === 'session-closed') hosted.release(session);
      options.onEvent?.(session, recorded, state);
    },
    hibernateAfterMs: options.hibernateAfterMs ?? 30_000,
    maxLive: options.maxLiveSessions ?? 100_000,
  });
  const agentRef = async (name: string, { cwd }: State): Promise<AgentRef | undefined> => {
    const agent = await (await agentsIn(cwd)).get(name);
    return agent === undefined ? undefined : agentRefOf(name, agent);
  };
  const accessTo = (id: SessionId) =>
    createSessionAccess(id, {
      store,
      sessions,
      interpreter: runtime,
      clock,
      unique: () => ids.unique(),
      agent: agentRef,
      async understand(text, state) {
        const agent = await (await agentsIn(state.cwd)).get(state.agent.name);
        return agent?.understand?.(text, meaningPlace(state));
      },
      followerLimit: options.followerLimit ?? 10_000,
    });
  const restoring = options.checkpoints === undefined ? {} : { restoreFiles: options.checkpoints.restore };
  const handle = (id: SessionId): Session =>
    createSession(accessTo(id), {
      close: () => sessions.release(id),
      fork: (given) => fork(id, given),
      rewind: (given) => rewindSession({ access: accessTo(id), journal: store.journal, ...restoring }, given),
    });
  const workforce: Workforce = createWorkforce({
    queue: store.jobs,
    journal: store.journal,
    clock,
    ids,
    sessions: {
      create: (setup) => create(setup),
      open: handle,
      state: (id) => accessTo(id).state(),
      hasAgent: async (name, cwd = '.') => (await (await agentsIn(path.resolve(cwd))).get(name)) !== undefined,
    },
    onProblem: (message, fields) => logger.log('error', message, fields),
    settings: { ...defaultJobSettings, ...jobSettings },
  });

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
      // Somebody was faster with the same key.
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
    const there = await agentsIn(cwd);
    const name = setup.agent ?? there.defaultAgent;
    const defaults = await there.get(name);
    if (defaults === undefined) throw new Fault('not-found', unknownAgent(name, there.names()));
    const ref = agentRefOf(name, defaults, setup.model);
    const agent =
      setup.tools === undefined ? ref : { ...ref, tools: narrowTools(ref.tools ?? 'all', setup.tools) };
    const mode = modeFrom(setup.mode ?? defaults.mode ?? 'interactive');
    const limits = { ...options.limits, ...defaults.limits, ...setup.limits };
    const rules = [...(defaults.rules ?? []), ...(setup.rules ?? [])];
    const id = ids.session();
    const place = { cwd, session: id, worktree: setup.worktree ?? false, at: clock.now() };
    sessions.create(
      id,
      {
        agent,
        mode,
        cwd: await placeSession(place, options.worktrees, logger),
        ...(setup.title !== undefined && { title: setup.title }),
        ...(setup.parent !== undefined && { parent: setup.parent }),
        ...(Object.keys(limits).length > 0 && { limits }),
        ...(rules.length > 0 && { rules }),
      },
      setup.by ?? library,
      creation,
    );
    return handle(id);
  }

  const stored = lazySessionStore(async () => {
    const [{ createSessionStore }, { createRedactor }, { collectSecrets }] = await Promise.all([
      import('./upkeep/session-store.ts'),
      import('./security/redact.ts'),
      import('./security/secrets.ts'),
    ]);
    return createSessionStore({
      store,
      clock,
      newId: () => ids.session(),
      redact: createRedactor(collectSecrets(process.env, options.secrets)),
      release: (session) => sessions.release(session),
    });
  });

  async function fork(id: SessionId, given: ForkOptions = {}): Promise<Session> {
    await sessions.live(id)?.persist();
    const parts = { store, newId: () => ids.session(), now: () => clock.now() };
    return handle((await forkSession(parts, id, given)).session);
  }

  async function find(id: string): Promise<SessionId | undefined> {
    return sessions.live(id as SessionId)?.id ?? findSession(store.journal, id);
  }

  async function close({ deadline = 0, cancel = false }: CloseOptions = {}): Promise<void> {
    await Promise.all([workforce.close({ deadline, cancel }), sessions.drain({ deadline, cancel })]);
    await sessions[Symbol.asyncDispose]();
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
      ...stored,
      async fork(id, given) {
        const found = await find(id);
        if (found === undefined) throw noSession(id);
        return fork(found, given);
      },
    },
    workers: workforce.workers,
    jobs: workforce.jobs,
    groups: workforce.groups,
    questions: () => store.journal.openQuestions({}),
    onCommit: (listener) => store.journal.onCommit(listener),
    async executor(setup = {}) {
      const { createExecutor } = await import('./assembly/executor.ts');
      const session = await create(setup);
      return createExecutor({
        session,
        workers: workforce.workers,
        agent: setup.agent ?? agents.defaultAgent,
        hasAgent: async (name) => (await (await agentsIn(path.resolve(setup.cwd ?? '.'))).get(name)) !== undefined,
        tools: async () =>
          toolNames(sessions.live(session.id)?.context.state ?? (await accessTo(session.id).state())),
        unique: () => ids.unique().slice(-8),
      });
    },
    async adopt() {
      const adopted = await sessions.adopt();
      await workforce.serve();
      return adopted;
    },
    close,
    [Symbol.asyncDispose]: () => close(),
  };
}

/** Loaded by whoever asks for it first: most programs never do. */
function lazySessionStore(load: () => Promise<SessionStore>): SessionStore {
  let loaded: Promise<SessionStore> | undefined;
  const stored = () => (loaded ??= load());
  return {
    load: async (id) => (await stored()).load(id),
    search: async (text, given) => (await stored()).search(text, given),
    delete: async (id) => (await stored()).delete(id),
    export: async (id, given) => (await stored()).export(id, given),
    import: async (bundle, given) => (await stored()).import(bundle, given),
  };
}

async function storeFrom(given: string | Store): Promise<Store> {
  if (typeof given !== 'string') return given;
  const address = parseStoreAddress(given);
  if (typeof address === 'string') throw new Fault('not-found', `Opening the store: ${address}.`);
  if (address.type === 'memory') {
    const { createMemoryStore } = await import('./journal/memory-store.ts');
    return createMemoryStore();
  }
  const { openSqliteStore } = await import('./journal/sqlite/sqlite-store.ts');
  return openSqliteStore({ path: path.resolve(address.path) });
}

async function agentsFrom({ agents }: RondoOptions, clock: Clock): Promise<AgentSource> {
  if (agents === undefined) {
    const { defaultAgents } = await import('./assembly/configured-agents.ts');
    return defaultAgents({ home: '', now: () => clock.now() });
  }
  return isAgentSource(agents) ? agents : agentTable(agents);
}

function isAgentSource(agents: NonNullable<RondoOptions['agents']>): agents is AgentSource {
  return typeof agents['defaultAgent'] === 'string';
}

function modelsFrom({ models }: RondoOptions, clock: Clock): Capabilities['models']['resolve'] {
  if (typeof models === 'function') return models;
  if (models === undefined) return findOnMachine(clock);
  const names = Object.keys(models);
  return ({ name, model = names[0] }) => {
    if (model === undefined) return `Agent ${name} has no model: give createRondo one under \`models\`.`;
    return models[model] ?? `Agent ${name} wants the model ${model}; known are: ${names.join(', ')}.`;
  };
}

function findOnMachine(clock: Clock): Capabilities['models']['resolve'] {
  let found: Promise<FoundModels> | undefined;
  const load = async () => {
    const [{ findModels }, { collectSecrets }] = await Promise.all([
      import('./assembly/found-models.ts'),
      import('./security/secrets.ts'),
    ]);
    return findModels({ env: process.env, clock, secrets: collectSecrets(process.env) });
  };
  return async (agent) => (await (found ??= load())).resolve(agent);
}

function toolsFrom({ tools, agents }: RondoOptions, clock: Clock): SessionTools {
  if (tools !== undefined) return 'offered' in tools ? tools : fixedTools(tools);
  if (agents !== undefined) return fixedTools([]);
  return lazyTools(async () => {
    const { builtInTools } = await import('./assembly/built-in-tools.ts');
    return builtInTools({ env: process.env, clock });
  });
}

/** What a dead owner left running carries the session's name in its environment. */
async function killMarkedProcesses(session: SessionId): Promise<void> {
  const { killMarked } = await import('./processes/kill-tree.ts');
  await killMarked({ session });
}

const approveAll: Approver = async (question) =>
  question.about.type === 'clarification' || question.about.type === 'form' ? undefined : { type: 'allow-once' };

function modeFrom(mode: string | Mode): Mode {
  if (typeof mode !== 'string') return mode;
  if (isModeName(mode)) return modes[mode];
  throw new Fault('not-found', `There is no mode ${mode}; the modes are ${Object.keys(modes).join(', ')}.`);
}

function unknownAgent(name: string, known: readonly string[]): string {
  return `Creating a session: there is no agent ${name}; known are: ${known.join(', ')}.`;
}
