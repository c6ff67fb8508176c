/** The checks of `rondo doctor`. A check never throws: an error becomes its finding. */
import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import type { LoadedConfig } from '../../agents/config-layers.ts';
import { withStoredKeys } from '../../agents/keys.ts';
import { problemToText } from '../../agents/config-problem.ts';
import { reachOf, reachText, type SandboxReach } from '../../security/sandbox/sandbox-setting.ts';
import { readConfig } from '../folder-config.ts';
import { homeFolder } from '../home.ts';
import { checkChildren } from './doctor-children.ts';
import { findingOf, type Finding } from './doctor-finding.ts';
import { checkStore } from './doctor-store.ts';
import { checkTerminal } from './doctor-terminal.ts';
import { trySandbox } from '../chat/sandbox-probe.ts';
import { counted } from '../../wording/counted.ts';

interface Examined {
  readonly cwd: string;
  readonly store: string | undefined;
  /** How many sessions to read in full. */
  readonly most: number;
  /** True to repair what can be repaired. */
  readonly isRepairing: boolean;
}

export async function checkAll({ cwd, store, most, isRepairing }: Examined): Promise<readonly Finding[]> {
  const loaded = await readConfig({ cwd });
  const wanted = loaded.type === 'loaded' ? loaded.config.config.tools?.sandbox : undefined;
  const independent = [
    checkNode(),
    await findingOf('git', checkGit),
    await findingOf('children', async () => {
      const { keeper } = await import('../../processes/keeper.ts');
      return checkChildren({ ready: keeper.ready, isRunnable });
    }),
    await findingOf('terminal', () => checkTerminal(process.env, tmuxOption)),
    await findingOf('sandbox', () => checkSandbox(cwd, reachOf(wanted ?? 'auto'))),
  ];
  if (loaded.type === 'invalid') {
    const problems = loaded.problems.map((problem): Finding => ({
      what: 'configuration',
      health: 'broken',
      found: problemToText(problem),
    }));
    return [...independent, ...problems];
  }
  const { config } = loaded;
  return [
    ...independent,
    { what: 'configuration', health: 'good', found: 'valid' },
    checkTrusted(config),
    await findingOf('models', () => checkModels(config)),
    await findingOf('agents', () => checkAgents(config)),
    await findingOf('mcp', () => checkServers(config)),
    await findingOf('worktrees', () => checkWorktrees(config, cwd, isRepairing)),
    ...(await checkStore(config, { given: store, most, isRepairing })),
  ];
}

function checkNode(): Finding {
  const isEnough = Number.parseInt(process.versions.node, 10) >= 24;
  return {
    what: 'node',
    health: isEnough ? 'good' : 'broken',
    found: `${process.version} at ${process.execPath}`,
  };
}

async function tmuxOption(name: string): Promise<string | undefined> {
  // A server option such as `escape-time` isn't a session's.
  for (const scope of ['-gv', '-sv', '-wgv']) {
    const value = await promisify(execFile)('tmux', ['show-options', scope, name], { timeout: 5000 }).then(
      ({ stdout }) => stdout.trim(),
      () => '',
    );
    if (value !== '') return value;
  }
  return undefined;
}

async function checkGit(): Promise<Omit<Finding, 'what'>> {
  try {
    const { stdout } = await promisify(execFile)('git', ['--version'], { timeout: 5000 });
    return { health: 'good', found: stdout.trim() };
  } catch {
    return {
      health: 'missing',
      found: 'git not found',
      advice: 'install git: git tools and worktrees need it',
    };
  }
}

async function checkSandbox(cwd: string, reach: SandboxReach): Promise<Omit<Finding, 'what'>> {
  const wrapped = await trySandbox(cwd);
  if (wrapped.type === 'ready')
    return { health: 'good', found: `bubblewrap works; commands run ${reachText(reach)}` };
  const isWanted = reach.level !== 'none' && reach.level !== 'auto' && reach.level !== 'container';
  const refused = isWanted
    ? '; the configuration requires it, so commands are refused'
    : '; commands run unsandboxed after you allow them';
  return {
    health: isWanted ? 'broken' : 'missing',
    found: `${wrapped.reason}${refused}`,
    advice: wrapped.install,
  };
}

function checkTrusted({ trust, ignored }: LoadedConfig): Finding {
  const what = 'trust';
  switch (trust.type) {
    case 'nothing-to-trust':
      return { what, health: 'good', found: 'this project has no configuration' };
    case 'trusted':
      return { what, health: 'good', found: "this project's configuration is trusted" };
    case 'untrusted':
      return {
        what,
        health: 'missing',
        found: `this project isn't trusted; ${ignored.length} of its settings are ignored`,
        advice: 'rondo trust',
      };
  }
}

async function checkModels(config: LoadedConfig): Promise<Omit<Finding, 'what'>> {
  const [{ findModels }, { modelsConfigFrom }, { createSystemClock }] = await Promise.all([
    import('../../assembly/models/found-models.ts'),
    import('../../assembly/models/models-config.ts'),
    import('../../runtime/system-clock.ts'),
  ]);
  const { env, stored } = await withStoredKeys(homeFolder(), process.env);
  const models = await modelsConfigFrom(config, homeFolder(), env);
  const [first, ...others] = await findModels({ env, stored, clock: createSystemClock(), config: models }).list();
  const isReal = first !== undefined && first.provider !== 'offline';
  if (isReal) return { health: 'good', found: `${first.id} and ${others.length} more (${first.why})` };
  return {
    health: 'missing',
    found: 'no language model found',
    advice: 'set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or start Ollama; see `rondo models`',
  };
}

/** External agents are programs: each must be on PATH. */
async function checkAgents({ config }: LoadedConfig): Promise<Omit<Finding, 'what'>> {
  const agents = Object.entries(config.acpAgents ?? {});
  if (agents.length === 0) return { health: 'good', found: 'no external agents configured' };
  const missing: string[] = [];
  for (const [name, { command }] of agents) if (!(await isRunnable(command))) missing.push(`${name} (${command})`);
  if (missing.length === 0)
    return { health: 'good', found: `${agents.map(([name]) => name).join(', ')} can start` };
  return {
    health: 'missing',
    found: `can't start: ${missing.join(', ')}`,
    advice: 'install them, or set their commands as paths in `acpAgents`',
  };
}

/** Starts and asks none of them. */
async function checkServers({ config }: LoadedConfig): Promise<Omit<Finding, 'what'>> {
  const { mcpServersFrom } = await import('../../assembly/tools/mcp-config.ts');
  const { storedState } = await import('../mcp/list-servers.ts');
  const servers = Object.entries(mcpServersFrom(config.mcpServers ?? {})).filter(
    ([, one]) => one.disabled !== true,
  );
  if (servers.length === 0) return { health: 'good', found: 'no MCP servers configured' };
  const states = await Promise.all(servers.map(async ([name, one]) => ({ name, state: await storedState(one) })));
  const waiting = states.filter(({ state }) => state === 'needs login').map(({ name }) => name);
  if (waiting.length === 0) return { health: 'good', found: `${servers.length} MCP servers configured` };
  return {
    health: 'missing',
    found: `need a login: ${waiting.join(', ')}`,
    advice: waiting.map((name) => `rondo mcp login ${name}`).join('; '),
  };
}

async function isRunnable(command: string): Promise<boolean> {
  const folders = command.includes(path.sep) ? [''] : (process.env['PATH'] ?? '').split(path.delimiter);
  for (const folder of folders) {
    const isThere = await access(path.join(folder, command), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return true;
  }
  return false;
}

/** Records and repository may disagree after a manual deletion or a crash during creation. */
async function checkWorktrees(
  config: LoadedConfig,
  cwd: string,
  isRepairing: boolean,
): Promise<Omit<Finding, 'what'>> {
  const { configuredWorktrees } = await import('../../assembly/sessions/configured-worktrees.ts');
  const worktrees = configuredWorktrees({ home: homeFolder(), config: async () => config });
  const views = await worktrees.list(cwd);
  if ('type' in views) return { health: 'good', found: "this folder isn't in a git repository" };
  const gone = views.filter(({ state }) => state === 'missing').map(({ name }) => name);
  if (!isRepairing) {
    if (gone.length === 0)
      return { health: 'good', found: `${counted(views.length, 'worktree')} of this repository` };
    return {
      health: 'missing',
      found: `${counted(views.length, 'worktree')} of this repository; missing folders: ${gone.join(', ')}`,
      advice: 'rondo worktrees prune, or rondo doctor --repair, unregisters them; their branches stay',
    };
  }
  const reconciled = await worktrees.reconcile(cwd, Date.now());
  if ('type' in reconciled) return { health: 'broken', found: reconciled.message };
  const repaired = [
    ...reconciled.adopted.map((name) => `registered ${name} again`),
    ...reconciled.forgotten.map((name) => `unregistered ${name}; its branch stays`),
  ];
  const orphans =
    reconciled.orphans.length === 0
      ? ''
      : `; unregistered folders, left unchanged: ${reconciled.orphans.join(', ')}`;
  return {
    health: 'good',
    found: `${counted(views.length - reconciled.forgotten.length + reconciled.adopted.length, 'worktree')} of this repository${orphans}`,
    ...(repaired.length > 0 && { repaired }),
  };
}
