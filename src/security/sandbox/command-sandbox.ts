/** Prepares a command so that it can't exceed its permitted reach, whatever starts it. */
import { createHash } from 'node:crypto';
import path from 'node:path';

import { holdPaths } from './held-paths.ts';
import { hookNames } from '../paths/hooks-folder.ts';
import { statsAt } from '../paths/link-on-the-way.ts';
import { appeared, profileNames, type SandboxProfile } from '../paths/protected-paths.ts';
import { quarantine } from './quarantine.ts';
import { limited } from './resource-limits.ts';
import type { Sandbox, SandboxedCommand, SandboxLevel, SandboxRequest } from './sandbox.ts';

/**
 * Where commands run. Without it, they run unsandboxed. `auto`: in the sandbox if this machine has one that passed
 * its probe. `container`: the machine's owner declares that it is itself a container.
 */
export interface CommandSandbox {
  readonly port: Sandbox;
  readonly level: SandboxLevel | 'auto' | 'container';
  readonly hidden?: readonly string[];
  /** The folder for each project's package caches and for quarantined files. */
  readonly state?: string;
  /** True if some hosts are reachable. `auto` then means the allow list. */
  readonly hasHosts?: boolean;
  /** A sandbox that reaches the package registries, for commands that may use them. */
  readonly registries?: Sandbox;
  /** The git folders that belong to a root but lie outside it. */
  readonly gitDirsOf?: (root: string) => Promise<readonly string[]>;
  /** Folders outside a root that its commands may read. */
  readonly readableFor?: (root: string) => Promise<readonly string[]>;
  /** A file that replaces the user's git configuration. */
  readonly gitConfig?: () => Promise<string | undefined>;
}

export interface Unsandboxed {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly profile?: SandboxProfile;
}

/** A command's change that Rondo reverted. */
export interface Undone {
  readonly file: string;
  readonly note: string;
  /** The path of the command's version, if it was kept. */
  readonly kept?: string;
}

export type ReadyCommand =
  | {
      readonly type: 'ready';
      readonly argv: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly isConfined: boolean;
      /** Reverts forbidden changes and returns them. Call it after the command ends. */
      finish(): Promise<readonly Undone[]>;
    }
  | { readonly type: 'unavailable'; readonly message: string };

/**
 * True if commands in these roots run sandboxed and so need no approval: the sandbox passed its probe, the network
 * is closed or limited to listed hosts, and every protected path can be protected.
 */
export async function isConfined(roots: readonly string[], sandbox: CommandSandbox | undefined): Promise<boolean> {
  if (sandbox === undefined || sandbox.level === 'none' || sandbox.level === 'workspace') return false;
  if (sandbox.level === 'container') return true;
  // The host list doesn't affect whether a sandbox is available, so this check doesn't need the proxy.
  const wrapped = await sandbox.port.wrap(['true'], { level: 'workspace-no-network', roots, env: {} });
  return wrapped.type === 'ready' && wrapped.links.length === 0;
}

/** Never falls back to a weaker sandbox. If the requested one is unavailable, the command must not run. */
export async function inSandbox(
  { argv, env, cwd, profile = 'work' }: Unsandboxed,
  roots: readonly string[],
  sandbox: CommandSandbox | undefined,
): Promise<ReadyCommand> {
  const limits = await limited(argv);
  const bare: ReadyCommand = {
    type: 'ready',
    argv: limits,
    env,
    isConfined: false,
    finish: () => Promise.resolve([]),
  };
  if (sandbox === undefined || sandbox.level === 'none' || sandbox.level === 'container') return bare;
  const ofRoots = async (find: CommandSandbox['gitDirsOf']) =>
    (await Promise.all(roots.map(async (root) => (await find?.(root)) ?? []))).flat();
  const [gitConfig, gitDirs, readable] = await Promise.all([
    sandbox.gitConfig?.(),
    ofRoots(sandbox.gitDirsOf),
    ofRoots(sandbox.readableFor),
  ]);
  const request: SandboxRequest = {
    level: levelOf(sandbox),
    roots,
    cwd,
    env,
    profile,
    gitDirs,
    readable,
    ...(gitConfig !== undefined && { gitConfig }),
    ...(sandbox.hidden !== undefined && { hidden: sandbox.hidden }),
    ...(sandbox.state !== undefined && { caches: cachesOf(sandbox.state, roots) }),
  };
  const wrapped = await sandbox.port.wrap(argv, request);
  if (wrapped.type === 'unavailable') {
    if (sandbox.level === 'auto' && wrapped.isLasting) return bare;
    const message = `Commands must run in a sandbox, but it isn't available: ${wrapped.reason}. To fix it: ${wrapped.install}`;
    return { type: 'unavailable', message };
  }
  const compared = profile === 'work' ? [] : comparedPaths(profile, roots, gitDirs);
  const held = compared.length === 0 ? undefined : await holdPaths(compared);
  return {
    type: 'ready',
    argv: await limited(wrapped.argv),
    env: wrapped.env,
    isConfined: true,
    async finish() {
      const moved = await removeAppeared(wrapped, sandbox);
      const restored = (await held?.restore()) ?? [];
      return [
        ...moved,
        ...restored.map((file) => ({
          file,
          note: `${file} decides which programs run, so the change was reverted.`,
        })),
      ];
    },
  };
}

function levelOf({ level, hasHosts }: CommandSandbox): SandboxLevel {
  if (level === 'auto' || level === 'container')
    return hasHosts === true ? 'workspace-allow-list' : 'workspace-no-network';
  return level;
}

function comparedPaths(
  profile: SandboxProfile,
  roots: readonly string[],
  gitDirs: readonly string[],
): readonly string[] {
  const { repository } = profileNames(profile);
  const byRoot = roots.map((root) => ({ root, names: profileNames(profile, hookNames(root)).root }));
  const under = (folder: string, all: readonly string[]) => all.map((name) => path.join(folder, name));
  const mounted = [
    ...byRoot.flatMap(({ root, names }) => under(root, names.mounted)),
    ...gitDirs.flatMap((folder) => under(folder, repository.mounted)),
  ];
  const watched = new Set(byRoot.flatMap(({ root, names }) => under(root, names.watched)));
  return [
    ...byRoot.flatMap(({ root, names }) => under(root, names.compared)),
    ...gitDirs.flatMap((folder) => under(folder, repository.compared)),
    ...mounted.filter((file) => statsAt(file) === undefined && !watched.has(file)),
  ];
}

async function removeAppeared(
  { missing }: Extract<SandboxedCommand, { type: 'ready' }>,
  { state }: CommandSandbox,
): Promise<readonly Undone[]> {
  const newPaths = appeared(missing);
  return newPaths.length === 0 ? [] : await quarantine(newPaths, state);
}

function cachesOf(state: string, roots: readonly string[]): string {
  const digest = createHash('sha256').update(roots.join('\0')).digest('hex').slice(0, 16);
  return path.join(state, 'caches', digest);
}
