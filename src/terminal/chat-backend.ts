/**
 * Where a chat's sessions are: in this process, or behind a server. The chat itself cannot tell, so that a
 * browser and a terminal on one server show the same session, and a terminal alone needs no server.
 */
import type { SessionId } from '../kernel/ids.ts';
import type { Ending } from '../kernel/outcome.ts';
import type { Answer } from '../kernel/question.ts';
import type { Receipt } from '../session/receipt.ts';
import type { RewindResult } from '../session/branch/rewind-session.ts';
import type { Session } from '../session/handle/session.ts';
import type { DirectoryEntry } from '../views/directory.ts';
import type { OpenQuestion } from '../views/open-question.ts';
import type { Theme } from './theme.ts';

/** As much of a session as a chat needs. Whoever sends through it is recorded as the person at this terminal. */
export type ChatSession = Pick<Session, 'id' | 'status' | 'follow' | 'send' | 'read' | 'events'>;

export interface ChatBackend extends AsyncDisposable {
  /** The server's address; undefined where the sessions are in this process. */
  readonly server: string | undefined;
  /** Whether the server can be reached at this moment; always, where the sessions are in this process. */
  readonly link: Link;
  /** The name under which answers given here are recorded. */
  readonly self: string;
  create(options: NewChat): Promise<ChatSession>;
  /** By id, the beginning of one, or `latest`. Rejects with a `Fault` where there is none. */
  open(session: string): Promise<ChatSession>;
  sessions(query: { readonly q?: string; readonly parent?: SessionId }): Promise<readonly DirectoryEntry[]>;
  agents(): Promise<readonly { readonly name: string; readonly from: string }[]>;
  models(): Promise<readonly string[]>;
  theme(agent: string): Promise<Theme>;
  /** Paths that a text may mean, best first; what .gitignore leaves out is left out. */
  files(text: string): Promise<readonly string[]>;
  branch(): Promise<string | undefined>;
  /** Open questions of the sessions that work for this one, oldest first. */
  questionsBelow(session: SessionId, known: readonly SessionId[]): Promise<readonly OpenQuestion[]>;
  /** To a question of any session. */
  answer(question: string, answer: Answer): Promise<Receipt>;
  /** The id of a copy that goes on from an event, or from the newest. */
  fork(session: SessionId, at?: number): Promise<string>;
  /** Back to an event, files included where they are kept, or back from the newest rewind. */
  rewind(session: SessionId, to: number | 'undo'): Promise<RewindResult>;
  jobs(session: SessionId): Promise<readonly JobEntry[]>;
  /** What became of it, in words. */
  cancelJob(job: string): Promise<string>;
  /** Slash commands that are carried out there and not by the chat itself. */
  readonly commands: readonly string[];
  /** What one of them shows. */
  command(name: string, args: Readonly<Record<string, string>>, session: SessionId): Promise<string>;
}

export interface Link {
  readonly isLost: boolean;
  /** Called after each change. */
  watch(changed: () => void): void;
}

export interface NewChat {
  readonly agent?: string;
  readonly model?: string;
  readonly mode?: string;
  readonly parent?: SessionId;
  readonly title?: string;
}

export interface JobEntry {
  readonly id: string;
  readonly worker: string;
  readonly state: string;
  readonly prompt: string;
  /** How it ended, where it did. */
  readonly ending?: Ending;
}
