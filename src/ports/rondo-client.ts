/** What a front end needs beyond one session: which there are, and what can be chosen from. In process or over the wire. */
import type { SessionId } from '../kernel/ids.ts';
import type { Ending } from '../kernel/outcome.ts';
import type { DirectoryEntry } from '../views/directory.ts';
import type { SessionClient } from './session-client.ts';

/** Sessions, agents, models, tools, workers and jobs, in this process or on a server. */
export interface RondoClient {
  /** The server's address; undefined where the sessions are in this process. */
  readonly server: string | undefined;
  create(options: NewSession): Promise<SessionClient>;
  /** By id, by the beginning of one, or `latest`. Rejects with a `Fault` where there is none. */
  open(session: string): Promise<SessionClient>;
  sessions(query: SessionQuery): Promise<readonly DirectoryEntry[]>;
  /** As they are in a session's folder; without one, in the folder of this client. */
  agents(session?: SessionId): Promise<readonly AgentEntry[]>;
  models(session?: SessionId): Promise<readonly string[]>;
  tools(session?: SessionId): Promise<readonly ToolEntry[]>;
  /** Paths that a text may mean, best first; what .gitignore leaves out is left out. */
  files(text: string): Promise<readonly string[]>;
  workers(): Promise<readonly WorkerEntry[]>;
  jobs(): Promise<readonly JobEntry[]>;
  cancelJob(job: string): Promise<JobCancel>;
}

export interface NewSession {
  readonly agent?: string;
  readonly model?: string;
  readonly mode?: string;
  readonly cwd?: string;
  readonly parent?: SessionId;
  readonly title?: string;
}

export interface SessionQuery {
  /** Words of the title. */
  readonly q?: string;
  readonly parent?: SessionId;
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

export interface WorkerEntry {
  readonly name: string;
  readonly state: string;
  /** What it does now, in words that follow "it is". */
  readonly doing: readonly string[];
  readonly session?: SessionId;
  /** The session that it works for. */
  readonly parent?: SessionId;
}

export interface JobEntry {
  readonly id: string;
  readonly worker: string;
  readonly state: string;
  readonly prompt: string;
  /** How it ended, where it did. */
  readonly ending?: Ending;
  /** The session that it works for. */
  readonly parent?: SessionId;
}

export type JobCancel = { readonly type: 'cancelling' } | { readonly type: 'refused'; readonly message: string };
