/** What `rondo doctor` looks at. A check never throws: what goes wrong is what it found. */
import { execFile } from 'node:child_process';
import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import type { LoadedConfig } from '../../agents/config-layers.ts';
import { problemToText } from '../../agents/config-problem.ts';
import type { StoreAddress } from '../../journal/store-address.ts';
import { reachOf, reachText, type SandboxReach } from '../../security/sandbox-setting.ts';
import { readConfig } from '../folder-config.ts';
import { homeFolder } from '../home.ts';
import { openExistingStore, storeAddressOf } from '../open-store.ts';
import { sizeText } from '../size-text.ts';

export interface Finding {
  readonly what: string;
  /** `missing` does no harm. */
  readonly health: 'good' | 'missing' | 'broken';
  readonly found: string;
  /** What to do about it. */
  readonly advice?: string;
}

export interface Examined {
  readonly cwd: string;
  readonly store: string | undefined;
  /** How many sessions are read from beginning to end. */
  readonly most: number;
}

export async function checkAll({ cwd, store, most }: Examined): Promise<readonly Finding[]> {
  const loaded = await readConfig({ cwd });
  const wanted = loaded.type === 'loaded' ? loaded.config.config.tools?.sandbox : undefined;
  const independent = [
    checkNode(),
    await found('git', checkGit),
    await found('sandbox', () => checkSandbox(cwd, reachOf(wanted ?? 'none'))),
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
    { what: 'configuration', health: 'good', found: 'sound' },
    checkTrusted(config),
    await found('models', () => checkModels(config)),
    ...(await checkStore(config, store, most)),
  ];
}

async function found(what: string, check: () => Promise<Omit<Finding, 'what'>>): Promise<Finding> {
  try {
    return { what, ...(await check()) };
  } catch (error) {
    return { what, health: 'broken', found: (error as Error).message };
  }
}

function checkNode(): Finding {
  const isEnough = Number.parseInt(process.versions.node, 10) >= 24;
  return {
    what: 'node',
    health: isEnough ? 'good' : 'broken',
    found: `${process.version} at ${process.execPath}`,
  };
}

async function checkGit(): Promise<Omit<Finding, 'what'>> {
  try {
    const { stdout } = await promisify(execFile)('git', ['--version'], { timeout: 5000 });
    return { health: 'good', found: stdout.trim() };
  } catch {
    return {
      health: 'missing',
      found: 'git was not found',
      advice: 'install git: its tools and worktrees need it',
    };
  }
}

async function checkSandbox(cwd: string, reach: SandboxReach): Promise<Omit<Finding, 'what'>> {
  const { createBubblewrap } = await import('../../security/bubblewrap.ts');
  const wrapped = await createBubblewrap().wrap(['true'], { level: 'workspace', roots: [cwd], env: {} });
  if (wrapped.type === 'ready')
    return { health: 'good', found: `bubblewrap works; commands run ${reachText(reach)}` };
  const isWanted = reach.level !== 'none';
  const refused = isWanted ? '; the configuration asks for it, so commands are refused' : '';
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
      return { what, health: 'good', found: 'this project has no configuration of its own' };
    case 'trusted':
      return { what, health: 'good', found: "this project's configuration is trusted" };
    case 'untrusted':
      return {
        what,
        health: 'missing',
        found: `this project is not trusted; ${ignored.length} of its settings are ignored`,
        advice: 'rondo trust',
      };
  }
}

async function checkModels(config: LoadedConfig): Promise<Omit<Finding, 'what'>> {
  const [{ findModels }, { modelsConfigFrom }, { createSystemClock }] = await Promise.all([
    import('../../assembly/found-models.ts'),
    import('../../assembly/models-config.ts'),
    import('../../runtime/system-clock.ts'),
  ]);
  const { env } = process;
  const models = await modelsConfigFrom(config, homeFolder(), env);
  const [first, ...others] = await findModels({ env, clock: createSystemClock(), config: models }).found();
  const isReal = first !== undefined && first.provider !== 'offline';
  if (isReal) return { health: 'good', found: `${first.id} and ${others.length} more (${first.why})` };
  return {
    health: 'missing',
    found: 'no language model was found',
    advice: 'set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or start Ollama; `rondo models` says more',
  };
}

async function checkStore(
  config: LoadedConfig,
  given: string | undefined,
  most: number,
): Promise<readonly Finding[]> {
  let address: StoreAddress;
  try {
    address = storeAddressOf(given, config);
  } catch (error) {
    return [{ what: 'store', health: 'broken', found: (error as Error).message }];
  }
  if (address.type === 'memory') return [{ what: 'store', health: 'good', found: 'in memory: nothing is kept' }];
  const file = address.path;
  return [
    await found('store', () => checkFile(file)),
    await found('sessions', () => checkSessions(address, most)),
  ];
}

async function checkFile(file: string): Promise<Omit<Finding, 'what'>> {
  const size = (await stat(file).catch(() => undefined))?.size;
  if (size === undefined)
    return { health: 'good', found: `${file} is not there yet; it is made with the first session` };
  try {
    await access(file, constants.R_OK | constants.W_OK);
    await access(path.dirname(file), constants.W_OK);
  } catch (error) {
    const advice = `make ${file} and its folder readable and writable for you`;
    return { health: 'broken', found: (error as Error).message, advice };
  }
  return { health: 'good', found: `${file}, ${sizeText(size)}` };
}

async function checkSessions(address: StoreAddress, most: number): Promise<Omit<Finding, 'what'>> {
  await using store = await openExistingStore(address);
  if (store === undefined) return { health: 'good', found: 'none yet' };
  const damaged: string[] = [];
  let checked = 0;
  let cursor: string | undefined;
  do {
    const limit = Math.min(50, most - checked);
    const page = await store.journal.list({ limit, ...(cursor !== undefined && { cursor }) });
    for (const { session } of page.entries) {
      const [damage] = await store.journal.check(session);
      if (damage !== undefined) damaged.push(`${session} at event ${damage.seq} (${damage.reason})`);
    }
    checked += page.entries.length;
    cursor = page.cursor;
  } while (cursor !== undefined && checked < most);
  const what = `${checked} checked${cursor === undefined ? '' : ', the newest; --full checks all'}`;
  if (damaged.length === 0) return { health: 'good', found: `${what}, all sound` };
  return {
    health: 'broken',
    found: `${what}; damaged: ${damaged.join(', ')}`,
    advice: 'they open up to the damage; repairing comes with a later version',
  };
}
