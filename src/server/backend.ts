import type { WireCreate } from '../protocol/input-schema.ts';
import type { Commit, DirectoryPage, DirectoryQuery, DirectoryText, QuestionEntry } from '../ports/journal.ts';
import type { Actor } from '../kernel/actor.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { Limits } from '../kernel/limits.ts';
import type { Session } from '../session/handle/session.ts';
import type { SessionStore } from '../upkeep/session-store.ts';
import type { Jobs } from '../workers/jobs.ts';
import type { Workers } from '../workers/workers.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';

/** The sessions that a server exposes. `Rondo` implements it. */
export interface Backend {
  readonly sessions: {
    create(options: NewSession): Promise<Session>;
    createOnce(
      options: () => Promise<NewSession>,
      creation: { readonly key: string; readonly digest: string },
    ): Promise<
      | { readonly type: 'created'; readonly session: Session }
      | { readonly type: 'conflict'; readonly session: SessionId }
    >;
    continue(
      id: string,
      options: Omit<NewSession, 'worktree' | 'repository' | 'title' | 'parent'>,
    ): Promise<Session>;
    get(id: string): Promise<Session | undefined>;
    list(query?: DirectoryQuery): Promise<DirectoryPage>;
    listText(query: DirectoryQuery): Promise<DirectoryText>;
  } & Pick<SessionStore, 'export' | 'import' | 'search' | 'find' | 'delete'>;
  readonly workers: Pick<Workers, 'get' | 'create' | 'overview' | 'parents'>;
  readonly jobs: Pick<Jobs, 'get' | 'overview' | 'view' | 'result'>;
  questions(query?: { readonly session?: SessionId }): Promise<readonly QuestionEntry[]>;
  onCommit(listener: (commit: Commit) => void): () => void;
}

interface NewSession {
  readonly agent?: string;
  readonly model?: string;
  readonly mode?: string;
  readonly cwd?: string;
  readonly worktree?: boolean | string;
  readonly repository?: NonNullable<WireCreate['repository']>;
  readonly title?: string;
  readonly parent?: SessionId;
  readonly limits?: Partial<Limits>;
  readonly by?: Actor;
}

/** Resources other than sessions. The server answers 501 for a missing part. */
export interface Catalog {
  /** The agents of a folder. */
  agents?(cwd: string): Promise<readonly unknown[]>;
  models?(cwd: string): Promise<readonly unknown[]>;
  tools?(cwd: string): Promise<readonly unknown[]>;
  /** `session`: its own MCP servers are asked. */
  commands?(cwd: string, session?: SessionId): Promise<readonly unknown[]>;
  resources?(cwd: string, session?: SessionId): Promise<readonly unknown[]>;
  skills?(cwd: string): Promise<readonly unknown[]>;
  /** The MCP servers of a folder. */
  mcpServers?(cwd: string): Promise<readonly unknown[]>;
  rules?: {
    list(): Promise<readonly unknown[]>;
    /** The rules that a folder's configuration gives every session. They can't be revoked here. */
    standing?(cwd: string): Promise<readonly unknown[]>;
    /** False if the id doesn't exist. */
    revoke(id: string): Promise<boolean>;
  };
  /** Stores a provider's key. It can't be read back. */
  setKey?(endpoint: string, key: string): Promise<void>;
  readonly worktrees?: Pick<
    Worktrees,
    | 'list'
    | 'commit'
    | 'merge'
    | 'changesIn'
    | 'fileIn'
    | 'branchIn'
    | 'commitIn'
    | 'discardIn'
    | 'planPush'
    | 'pushFrom'
  >;
  /** Paths in a folder that match a query, best first. */
  files?(query: { readonly cwd: string; readonly q: string; readonly limit: number }): Promise<readonly string[]>;
}

export interface ServerClock {
  now(): number;
  /** Monotonic: unaffected by changes of the system time. */
  ticks(): number;
  at(time: number, call: () => void): () => void;
}

/** Structured logs. Never contains message content or secrets. */
export interface ServerLogger {
  log(
    level: 'debug' | 'info' | 'warn' | 'error',
    message: string,
    fields?: Readonly<Record<string, unknown>>,
  ): void;
}
