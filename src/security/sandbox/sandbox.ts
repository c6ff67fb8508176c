import type { SandboxProfile } from '../paths/protected-paths.ts';

/**
 * How far a command may reach. `none`: not sandboxed. `workspace`: writes only in the roots.
 * `workspace-allow-list`: the same, and the network only through a proxy that knows the allowed
 * hosts. `workspace-no-network`: the same, and no network at all.
 */
export type SandboxLevel = 'none' | 'workspace' | 'workspace-allow-list' | 'workspace-no-network';

export type SandboxRequest = {
  readonly level: SandboxLevel;
  /** Folders; the command starts in the first unless `cwd` says otherwise. */
  readonly roots: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  /** Other than `work`: the repository is writable and the network closed, for plain git commands. */
  readonly profile?: SandboxProfile;
  /** Git folders that belong to the roots and lie outside them, as those of a linked worktree do. */
  readonly gitDirs?: readonly string[];
  /** A file to stand for the person's git configuration. */
  readonly gitConfig?: string;
  /** Not even readable: folders with keys. */
  readonly hidden?: readonly string[];
  /** Where this project's package caches are kept; without it they go with the command. */
  readonly caches?: string;
  /** For `workspace-allow-list`: the Unix socket of a proxy made by `createAllowListProxy`. */
  readonly proxySocket?: string;
};

export type SandboxedCommand =
  | {
      readonly type: 'ready';
      readonly argv: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      /** Protected paths that don't exist: what appears there must not stay. */
      readonly missing: readonly string[];
      /** Protected paths that are symbolic links, so that they can't be protected. */
      readonly links: readonly string[];
    }
  | {
      readonly type: 'unavailable';
      readonly reason: string;
      /** What a person can do about it, in one line. */
      readonly install: string;
      /** No command of these roots can be confined on this machine. */
      readonly isLasting: boolean;
    };

/**
 * Wraps a command so that it cannot reach further than its level.
 *
 * Promises: what is asked for is what is given, or the answer is `unavailable`; never a weaker
 * sandbox. Starts nothing that outlives the call. A wrapped command ends when its starter does.
 */
export type Sandbox = {
  readonly wrap: (argv: readonly string[], request: SandboxRequest) => Promise<SandboxedCommand>;
};

/** For machines without a sandbox: serves `none` and refuses everything else. */
export function createNoSandbox(reason: string, install: string): Sandbox {
  return {
    wrap: async (argv, { level, env }) =>
      level === 'none'
        ? { type: 'ready', argv, env, missing: [], links: [] }
        : { type: 'unavailable', reason, install, isLasting: true },
  };
}
