/** The workspace of commands that run sessions: a folder's configuration wired to models, tools, agents and a store. */
import path from 'node:path';

import type { LoadedConfig } from '../agents/config-layers.ts';
import type { Config } from '../agents/config-schema.ts';
import { problemToText } from '../agents/config-problem.ts';
import { findProject } from '../agents/project.ts';
import { saveRule } from '../agents/saved-rules.ts';
import { createFileCheckpoints } from '../assembly/sessions/file-checkpoints.ts';
import { createFolderParts } from '../assembly/folder-parts.ts';
import { configuredWorktrees } from '../assembly/sessions/configured-worktrees.ts';
import { createFolders, type Folders } from '../assembly/folders.ts';
import type { FoundModels } from '../assembly/models/found-models.ts';
import { leasedTools } from '../assembly/tools/leased-tools.ts';
import type { SessionTools } from '../assembly/tools/session-tools.ts';
import type { ToolSource, ToolStage } from '../assembly/tools/tool-pipeline.ts';
import type { Store } from '../ports/store.ts';
import type { Recorded } from '../kernel/event.ts';
import { Fault } from '../kernel/fault.ts';
import { questionIdOf, type SessionId } from '../kernel/ids.ts';
import type { Rule } from '../kernel/rule.ts';
import { createRondo, type Rondo, type RondoOptions } from '../rondo.ts';
import { createSystemClock } from '../runtime/system-clock.ts';
import { workspaceSecrets } from '../security/secrets/workspace-secrets.ts';
import { resolveSessionId } from '../session/read/resolve-session-id.ts';
import { loadSession } from '../session/read/load-session.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';
import { configOf, readConfig, type ConfigOptions } from './folder-config.ts';
import { homeFolder } from './home.ts';
import { openStore } from '../assembly/open-store.ts';
import { storeAddressOf } from './open-store.ts';
import { terminalActor } from './terminal-actor.ts';
import { configurationError } from './usage-error.ts';
import { optional } from '../kernel/optional.ts';

export interface Workspace extends AsyncDisposable {
  readonly home: string;
  readonly config: LoadedConfig;
  readonly store: Store;
  readonly rondo: Rondo;
  readonly models: () => Promise<FoundModels>;
  /** Preloads what a new session's first model call needs, while the store opens for writing. Never rejects. */
  prepare(session: { readonly agent?: string; readonly model?: string }): Promise<void>;
  /** The model that such a session uses. Undefined if there is none. */
  modelOf(session: { readonly agent?: string; readonly model?: string }): Promise<string | undefined>;
  /** Standing rules of a session here: configured ones and those saved by "always". */
  readonly rules: readonly Rule[];
  readonly folders: Folders;
  /** What a session's MCP servers offer to people. */
  readonly texts: NonNullable<SessionTools['texts']>;
  readonly worktrees: Worktrees;
  /** Records that the session no longer works in that folder. Its worktree is released, but its files stay. */
  leave(session: SessionId, cwd: string): Promise<void>;
}

export interface WorkspaceOptions extends ConfigOptions {
  readonly store?: string;
  /** The session to run. The configuration of its folder applies. */
  readonly session?: string;
  readonly approve?: RondoOptions['approve'];
  readonly workers?: RondoOptions['workers'];
  /** Aborts if the command is stopped before there is a session to interrupt. */
  readonly leaving?: AbortSignal;
  /** Adds tools to those of the folders. */
  readonly tools?: ToolSource;
  /** Stages that calls pass first. */
  readonly stages?: readonly ToolStage[];
  readonly moreRoots?: RondoOptions['moreRoots'];
  /** Observers for a server, called for all sessions. */
  readonly watch?: Pick<RondoOptions, 'onEvent' | 'telemetry' | 'logger' | 'agentLife'>;
  /** This machine's labels. Default: those of its configuration. */
  readonly labels?: (config: Config) => readonly string[];
  /** Connections to the other nodes of the store. */
  readonly links?: (store: Store) => RondoOptions['links'];
}

export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const home = homeFolder();
  const clock = createSystemClock();
  const { env } = process;
  // Preload what most configurations need while the configuration loads.
  void import('../journal/sqlite/sqlite-store.ts').catch(() => undefined);
  const here = await configOf(options);
  const store = await openStore(storeAddressOf(options.store, here));
  const first = await configFor(options, store, here);
  await checkExtensions(first.config);
  const place = { home, env, clock, onProblem: (problem: string) => void process.stderr.write(`${problem}\n`) };
  const make = (config: LoadedConfig) => createFolderParts(config, place);
  const own = make(first.config);
  const folders = createFolders({
    first: { cwd: first.cwd, parts: own },
    // For worktrees of the named project, the command line's options apply too.
    async load(cwd) {
      const loaded = await loadedConfig({ cwd });
      const isSame = loaded.project.identity === first.config.project.identity;
      return isSame ? loadedConfig({ ...options, cwd }) : loaded;
    },
    make,
    now: () => clock.ticks(),
  });
  const { config, agents, models } = own;
  const worktrees = configuredWorktrees({
    home,
    config: async (cwd) => (await folders.in(cwd)).config,
    ...optional({ signal: options.leaving }),
  });
  const tools = leasedTools(
    [folders.tools, ...(options.tools === undefined ? [] : [options.tools])],
    worktrees,
    clock,
    options.stages,
  );
  const saving = new Set<Promise<unknown>>();
  const links = options.links?.(store);
  const rondo = await createRondo({
    store,
    ...optional({ links }),
    labels: options.labels?.(config.config) ?? config.config.server?.labels ?? [],
    clock,
    agents: folders.agents,
    models: folders.models,
    tools,
    worktrees: { open: worktrees.open, hold: tools.hold },
    places: {
      home,
      setUp: async (cwd) => (await folders.in(cwd)).config.config.worktrees?.setUp ?? [],
    },
    secrets: [
      ...Object.values(config.config.endpoints ?? {}).flatMap(({ apiKey }) => apiKey ?? []),
      ...(await workspaceSecrets(config.project.root)),
    ],
    checkpoints: createFileCheckpoints({
      home,
      isWanted: async (cwd) => (await folders.in(cwd)).config.config.checkpoints !== false,
    }),
    workers: { delegate: true, ...options.workers },
    ...optional({ managed: config.managed, moreRoots: options.moreRoots }),
    approvesAs: options.approve === 'all' ? { type: 'program', name: 'auto-approve' } : terminalActor,
    ...optional({
      approve: options.approve,
      telemetry: options.watch?.telemetry,
      logger: options.watch?.logger,
      agentLife: options.watch?.agentLife,
    }),
    onEvent(session, recorded, state) {
      options.watch?.onEvent?.(session, recorded, state);
      if (recorded.event.type === 'session-closed') void tools.ended(session, state.cwd);
      if (!isAlways(recorded)) return;
      const saved = saveGrants(store, home, session, recorded).finally(() => saving.delete(saved));
      saving.add(saved);
    },
  });
  return {
    home,
    config,
    store,
    rondo,
    models,
    async modelOf({ agent = agents.defaultAgent, model }) {
      const own = await agents.get(agent);
      if (own?.runs === 'external') return model;
      return (await models()).reference(optional({ model: model ?? own?.model }));
    },
    async prepare({ agent = agents.defaultAgent, model }) {
      try {
        const reference = model ?? (await agents.get(agent))?.model;
        await (await models()).prepare(reference === undefined ? {} : { model: reference });
      } catch {
        // Ignore errors here: the call that needs it reports them.
      }
    },
    rules: await own.rules(),
    folders,
    texts: async (place) => tools.texts?.(place),
    worktrees,
    leave: async (session, cwd) => void (await tools.ended(session, cwd)),
    async [Symbol.asyncDispose]() {
      await Promise.all(saving);
      await rondo.close();
    },
  };
}

/** An error in a configuration that loads during other work fails that work, not the process. */
async function loadedConfig(options: ConfigOptions): Promise<LoadedConfig> {
  const loaded = await readConfig(options);
  if (loaded.type === 'loaded') return loaded.config;
  throw new Fault('unreadable', loaded.problems.map(problemToText).join('\n'));
}

/** Reports an error in the project's extensions before anything uses them. */
async function checkExtensions(config: LoadedConfig): Promise<void> {
  if (config.intentFiles.size === 0) return;
  const { intentProblems } = await import('../assembly/agents/intent-extensions.ts');
  const problems = await intentProblems(config);
  if (problems.length > 0) throw configurationError(problems.map(problemToText).join('\n'));
}

/** When resuming a session of another folder, that folder's configuration applies. */
async function configFor(options: WorkspaceOptions, store: Store, here: LoadedConfig) {
  const { session } = options;
  const id = session === undefined ? undefined : await resolveSessionId(store.journal, session);
  const state = id === undefined ? undefined : (await loadSession(store.journal, id))?.state;
  const cwd = state?.imported?.isForeign === true ? undefined : state?.cwd;
  if (cwd === undefined || cwd === options.cwd) return { cwd: path.resolve(options.cwd), config: here };
  return { cwd, config: await configOf({ ...options, cwd }) };
}

type AlwaysAllowed = Recorded & { readonly event: Extract<Recorded['event'], { type: 'question-answered' }> };

function isAlways(recorded: Recorded): recorded is AlwaysAllowed {
  const { event } = recorded;
  return event.type === 'question-answered' && event.answer.type === 'allow-always';
}

/** "Always" grants what the question proposed. The rule is saved for the session's project. */
async function saveGrants(store: Store, home: string, session: SessionId, { event, at, by }: AlwaysAllowed) {
  const { events } = await store.journal.read(session, { after: 0 });
  const opened = events.find(({ seq }) => questionIdOf(session, seq) === event.question)?.event;
  const state = (await loadSession(store.journal, session))?.state;
  if (opened?.type !== 'question-opened' || opened.about.type !== 'approval' || state === undefined) return;
  const { identity } = await findProject(state.cwd, home);
  for (const rule of opened.about.grants) await saveRule(home, { project: identity, rule, at, by: by.name });
}
