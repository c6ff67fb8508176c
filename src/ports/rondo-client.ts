/**
 * A front end's access beyond one session: the list of sessions, and the available choices. In process or over the
 * wire.
 */
import type { SessionId } from '../kernel/ids.ts';
import type { DirectoryEntry } from '../views/directory.ts';
import type { SessionClient } from './session-client.ts';
import type { JobView, WorkerView } from './workforce.ts';

/** Sessions, agents, models, tools, workers and jobs, in this process or on a server. */
export interface RondoClient {
  /** The server's address. Undefined if the sessions are in this process. */
  readonly server: string | undefined;
  create(options: NewSession): Promise<SessionClient>;
  /** By id, by a prefix of one, or `latest`. Rejects with a `Fault` if there is none. */
  open(session: string): Promise<SessionClient>;
  sessions(query: SessionQuery): Promise<readonly SessionHit[]>;
  /** Sessions whose title or messages contain the words, newest first. */
  searchSessions(text: string): Promise<readonly SessionHit[]>;
  /** Sessions that people archived. `sessions` lists them too. */
  archived(): Promise<ReadonlySet<string>>;
  mark(session: SessionId, mark: { readonly isArchived: boolean }): Promise<void>;
  /** The agents in a session's folder. Default: in this client's folder. */
  agents(session?: SessionId): Promise<readonly AgentEntry[]>;
  models(session?: SessionId): Promise<readonly ModelEntry[]>;
  tools(session?: SessionId): Promise<readonly ToolEntry[]>;
  /** Commands from files in a session's folder, and prompts of its MCP servers. */
  commands(session?: SessionId): Promise<readonly FileCommandEntry[]>;
  /** Skills in a session's folder. */
  skills(session?: SessionId): Promise<readonly SkillEntry[]>;
  /** Resources of a session's MCP servers, to mention in a prompt. */
  resources(session?: SessionId): Promise<readonly ResourceEntry[]>;
  /** Paths that match a text, best first, without those that .gitignore excludes. */
  files(text: string): Promise<readonly string[]>;
  workers(): Promise<readonly WorkerView[]>;
  jobs(): Promise<readonly JobView[]>;
  cancelJob(job: string): Promise<JobCancel>;
  /** Open questions of all sessions. */
  inbox(): Promise<readonly WaitingEntry[]>;
  /** Rules saved by "always", of all projects. */
  savedRules(): Promise<readonly SavedRuleEntry[]>;
  /** False if there is no such rule. */
  revokeRule(id: string): Promise<boolean>;
  /** The MCP servers in a session's folder. Starts none. */
  mcpServers(session?: SessionId): Promise<readonly McpServerEntry[]>;
  /** Creates a read-only link. Only a server can. */
  share(session: SessionId, days?: number): Promise<ShareResult>;
}

export interface NewSession {
  readonly agent?: string;
  readonly model?: string;
  readonly mode?: string;
  readonly cwd?: string;
  readonly parent?: SessionId;
  readonly title?: string;
  /** Work in a git worktree: a new one, or the one with that name. */
  readonly worktree?: true | string;
  /** Work on a clone of this repository. */
  readonly repository?: { readonly url: string; readonly ref?: string; readonly push?: boolean };
}

interface SessionQuery {
  /** Words to find in the title. */
  readonly q?: string;
  readonly parent?: SessionId;
  /** Default: 100. */
  readonly limit?: number;
}

/** `excerpt` is the newest matching message, unless only the title matches. */
export interface SessionHit extends DirectoryEntry {
  readonly excerpt?: string;
  /** The process that ran its turn is gone. Opening it continues the turn. A server's sessions have none. */
  readonly isInterrupted?: true;
}

export interface ModelEntry {
  readonly id: string;
  readonly provider?: string;
  /** Context window in tokens. */
  readonly window?: number;
  /** US dollars per million tokens. Absent or null: unknown. */
  readonly price?: { readonly input: number; readonly output: number } | null;
}

export interface AgentEntry {
  readonly name: string;
  /** The layer that defines it, such as `built-in` or `project`. */
  readonly from: string;
}

export interface ToolEntry {
  readonly name: string;
  readonly description: string;
}

/** A command from a file, such as `/review`. Sent as a prompt, it brings the file's text. */
export interface FileCommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly hint?: string;
  readonly from: 'project' | 'user' | 'mcp';
}

/** Written as `@mention` in a prompt, it brings the resource's content. */
export interface ResourceEntry {
  readonly mention: string;
  readonly title: string;
}

export interface SkillEntry {
  readonly name: string;
  readonly description: string;
  readonly from: 'project' | 'user';
}

/** An open question of any session. */
export interface WaitingEntry {
  readonly id: string;
  readonly session: SessionId;
  readonly openedAt: number;
}

export interface SavedRuleEntry {
  readonly id: string;
  readonly rule: string;
  readonly project: string;
  readonly by: string;
}

export interface McpServerEntry {
  readonly name: string;
  /** The configuration layer. */
  readonly from: string;
  readonly state: string;
  /** Its command or address. */
  readonly reached: string;
}

type ShareResult =
  | { readonly type: 'shared'; readonly url: string; readonly expiresAt: number }
  | { readonly type: 'refused'; readonly message: string };

type JobCancel = { readonly type: 'cancelling' } | { readonly type: 'refused'; readonly message: string };
