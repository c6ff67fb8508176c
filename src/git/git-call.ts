import type { ProcessMarker } from '../processes/process-table.ts';
import type { GitPlace } from './find-git-place.ts';

export interface GitCall {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly dir: 'generated' | 'repository' | 'own' | 'remote';
  /** The location, if already known. Otherwise it is searched from `cwd` upwards. */
  readonly place?: GitPlace;
  readonly input?: string | Buffer;
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Runs the repository's hooks. Only with `repository`. */
  readonly withHooks?: boolean;
  /** Lets git reach a remote with the person's own ssh and credential helpers. Only with `repository`. */
  readonly reachesOut?: boolean;
  /** Runs filters that the repository itself defines; without it, the call is refused. Only with `repository`. */
  readonly withFilters?: boolean;
  /** Output beyond this limit is discarded. Default: no limit. */
  readonly outputBytes?: number;
  readonly signal?: AbortSignal;
  readonly marker?: ProcessMarker;
  /** Runs the command in a sandbox. */
  readonly confine?: (command: GitCommand) => Promise<Confined>;
}

export interface GitCommand {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export type Confined =
  | {
      readonly type: 'ready';
      readonly argv: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      /** Called after the command ends. */
      finish?(): Promise<void>;
    }
  | { readonly type: 'unavailable'; readonly message: string };

export interface GitFailure {
  readonly type: 'failed';
  readonly message: string;
  /** True if the working folder exists but git doesn't. */
  readonly isMissing?: boolean;
  readonly why?: 'cancelled' | 'timed-out';
}

export interface GitOutput {
  readonly type: 'done';
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
}
