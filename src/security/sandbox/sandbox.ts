import type { SandboxProfile } from '../paths/protected-paths.ts';

/**
 * How far a command may reach. `none`: not sandboxed. `workspace`: writes only in the roots.
 * `workspace-allow-list`: the same, with network access only through a proxy that enforces the allowed hosts.
 * `workspace-no-network`: the same, with no network at all.
 */
export type SandboxLevel = 'none' | 'workspace' | 'workspace-allow-list' | 'workspace-no-network';

export type SandboxRequest = {
  readonly level: SandboxLevel;
  /** Folders. The command starts in the first unless `cwd` is set. */
  readonly roots: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  /** Any value except `work` makes the repository writable and closes the network, for plain git commands. */
  readonly profile?: SandboxProfile;
  /** Git folders that belong to the roots but lie outside them, such as those of a linked worktree. */
  readonly gitDirs?: readonly string[];
  /** Folders outside the roots that the command may read, such as objects that a clone borrows. */
  readonly readable?: readonly string[];
  /** A file that replaces the user's git configuration. */
  readonly gitConfig?: string;
  /** Unreadable folders, such as those with keys. */
  readonly hidden?: readonly string[];
  /** The folder for this project's package caches. Without it, they are deleted with the command. */
  readonly caches?: string;
  /** For `workspace-allow-list`: the Unix socket of a proxy created by `createAllowListProxy`. */
  readonly proxySocket?: string;
};

export type SandboxedCommand =
  | {
      readonly type: 'ready';
      readonly argv: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      /** Protected paths that don't exist. If one appears, it must be removed. */
      readonly missing: readonly string[];
      /** Protected paths that are symbolic links and therefore can't be protected. */
      readonly links: readonly string[];
    }
  | {
      readonly type: 'unavailable';
      readonly reason: string;
      /** How the user can fix it, in one line. */
      readonly install: string;
      /** True if no command of these roots can be sandboxed on this machine. */
      readonly isLasting: boolean;
    };

/**
 * Wraps a command so that it can't reach further than its level.
 *
 * Contract: the caller gets the requested level or `unavailable`, never a weaker sandbox. The call starts nothing
 * that outlives it. A wrapped command ends when the process that started it ends.
 */
export type Sandbox = {
  readonly wrap: (argv: readonly string[], request: SandboxRequest) => Promise<SandboxedCommand>;
};

/** For machines without a sandbox: accepts `none` and refuses every other level. */
export function createNoSandbox(reason: string, install: string): Sandbox {
  return {
    wrap: async (argv, { level, env }) =>
      level === 'none'
        ? { type: 'ready', argv, env, missing: [], links: [] }
        : { type: 'unavailable', reason, install, isLasting: true },
  };
}
