import type { ProcessMarker } from '../processes/process-table.ts';
import type { GitPlace } from './find-git-place.ts';

export interface GitCall {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly dir: 'generated' | 'repository' | 'own';
  /** Where it is known already; otherwise it is looked for from `cwd` upwards. */
  readonly place?: GitPlace;
  readonly input?: string | Buffer;
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** With `repository`: its hooks run. */
  readonly withHooks?: boolean;
  /** With `repository`: filters that the repository itself defines run; otherwise the call is refused. */
  readonly withFilters?: boolean;
  /** Output beyond it is dropped. Default: no limit. */
  readonly outputBytes?: number;
  readonly signal?: AbortSignal;
  readonly marker?: ProcessMarker;
  /** Puts the command into a sandbox. */
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
      /** Called when it has ended. */
      finish?(): Promise<void>;
    }
  | { readonly type: 'unavailable'; readonly message: string };

export interface Failed {
  readonly type: 'failed';
  readonly message: string;
  /** The folder to run it in is there, git is not. */
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
