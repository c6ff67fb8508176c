/** What a command that runs sessions works with: the configuration of a folder joined with models, tools, agents and a store. */
import type { LoadedConfig } from '../agents/config-layers.ts';
import { findProject } from '../agents/project.ts';
import { savedRulesFor, saveRule } from '../agents/saved-rules.ts';
import { configuredAgents } from '../assembly/configured-agents.ts';
import type { FoundModels } from '../assembly/found-models.ts';
import { mcpServersFrom } from '../assembly/mcp-config.ts';
import { lazyTools } from '../assembly/session-tools.ts';
import type { Store } from '../journal/store.ts';
import type { Recorded } from '../kernel/event.ts';
import { questionIdOf, type SessionId } from '../kernel/ids.ts';
import type { Rule } from '../kernel/rule.ts';
import { createRondo, type Rondo, type RondoOptions } from '../rondo.ts';
import { createSystemClock } from '../runtime/system-clock.ts';
import { findSession } from '../session/find-session.ts';
import { loadSession } from '../session/load-session.ts';
import { configOf, type ConfigOptions } from './folder-config.ts';
import { homeFolder } from './home.ts';
import { openStore, storeAddressOf } from './open-store.ts';
import { terminalActor } from './terminal-actor.ts';

export interface Workspace extends AsyncDisposable {
  readonly home: string;
  readonly config: LoadedConfig;
  readonly store: Store;
  readonly rondo: Rondo;
  readonly models: () => Promise<FoundModels>;
  /** Loads what a new session's first model call will need, while the store gets ready to write. Never rejects. */
  prepare(session: { readonly agent?: string; readonly model?: string }): Promise<void>;
  /** Standing rules of a session here: configured ones and those saved by "always". */
  readonly rules: readonly Rule[];
}

export interface WorkspaceOptions extends ConfigOptions {
  readonly store?: string;
  /** The session that will be worked on: the configuration of its folder is the one that holds. */
  readonly session?: string;
  readonly approve?: RondoOptions['approve'];
  readonly workers?: RondoOptions['workers'];
  /** For a server: told of what happens, in all sessions. */
  readonly watch?: Pick<RondoOptions, 'onEvent' | 'telemetry' | 'logger'>;
}

export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const home = homeFolder();
  const clock = createSystemClock();
  const { env } = process;
  // What most configurations ask for is loaded while the configuration is read.
  void import('../journal/sqlite/sqlite-store.ts').catch(() => undefined);
  const here = await configOf(options);
  const store = await openStore(storeAddressOf(options.store, here));
  const config = await configFor(options, store, here);
  let found: Promise<FoundModels> | undefined;
  const findAll = async () => {
    const [{ findModels }, { modelsConfigFrom }] = await Promise.all([
      import('../assembly/found-models.ts'),
      import('../assembly/models-config.ts'),
    ]);
    return findModels({ env, clock, config: await modelsConfigFrom(config, home, env) });
  };
  const models = () => (found ??= findAll());
  const agents = configuredAgents(config, env, { home, now: () => clock.now() });
  const tools = lazyTools(async () => {
    const { builtInTools } = await import('../assembly/built-in-tools.ts');
    const { mcpServers, tools: settings } = config.config;
    return builtInTools({
      env,
      clock,
      home,
      onProblem: (problem) => process.stderr.write(`${problem}\n`),
      secrets: Object.values(config.config.endpoints ?? {}).flatMap(({ apiKey }) => apiKey ?? []),
      ...(mcpServers !== undefined && { mcpServers: mcpServersFrom(mcpServers) }),
      ...(settings?.sandbox !== undefined && { sandbox: settings.sandbox }),
      ...(settings?.webSearch !== undefined && { webSearch: settings.webSearch }),
    });
  });
  const saving = new Set<Promise<unknown>>();
  const rondo = await createRondo({
    store,
    clock,
    agents,
    models: async (agent) => (await models()).resolve(agent),
    tools,
    workers: { delegate: true, ...options.workers },
    approvesAs: options.approve === 'all' ? { type: 'program', name: 'auto-approve' } : terminalActor,
    ...(options.approve !== undefined && { approve: options.approve }),
    ...(options.watch?.telemetry !== undefined && { telemetry: options.watch.telemetry }),
    ...(options.watch?.logger !== undefined && { logger: options.watch.logger }),
    onEvent(session, recorded, state) {
      options.watch?.onEvent?.(session, recorded, state);
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
    async prepare({ agent = agents.defaultAgent, model }) {
      try {
        const reference = model ?? (await agents.get(agent))?.model;
        await (await models()).prepare(reference === undefined ? {} : { model: reference });
      } catch {
        // Whatever is wrong, the call that needs it tells.
      }
    },
    rules: [...config.rules, ...(await savedRulesFor(home, config.project.identity))],
    async [Symbol.asyncDispose]() {
      await Promise.all(saving);
      await rondo.close();
    },
  };
}

/** Where a session of another folder is gone on with, that folder's configuration holds. */
async function configFor(options: WorkspaceOptions, store: Store, here: LoadedConfig): Promise<LoadedConfig> {
  const { session } = options;
  const id = session === undefined ? undefined : await findSession(store.journal, session);
  const cwd = id === undefined ? undefined : (await loadSession(store.journal, id))?.state.cwd;
  return cwd === undefined || cwd === options.cwd ? here : configOf({ ...options, cwd });
}

type AlwaysAllowed = Recorded & { readonly event: Extract<Recorded['event'], { type: 'question-answered' }> };

function isAlways(recorded: Recorded): recorded is AlwaysAllowed {
  const { event } = recorded;
  return event.type === 'question-answered' && event.answer.type === 'allow-always';
}

/** What "always" grants is what the question proposed; it is kept for the project that the session works in. */
async function saveGrants(store: Store, home: string, session: SessionId, { event, at, by }: AlwaysAllowed) {
  const { events } = await store.journal.read(session, { after: 0 });
  const opened = events.find(({ seq }) => questionIdOf(session, seq) === event.question)?.event;
  const state = (await loadSession(store.journal, session))?.state;
  if (opened?.type !== 'question-opened' || opened.about.type !== 'approval' || state === undefined) return;
  const { identity } = await findProject(state.cwd, home);
  for (const rule of opened.about.grants) await saveRule(home, { project: identity, rule, at, by: by.name });
}
