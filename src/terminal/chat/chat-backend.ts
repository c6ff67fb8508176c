/**
 * A chat's sessions: in this process, or behind a server. The chat can't tell the difference. So a browser and a
 * terminal on one server show the same session, and a terminal alone needs no server.
 */
import type { SavedFile } from '../../commands/command.ts';
import type { RondoClient } from '../../ports/rondo-client.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import type { Theme } from '../theme.ts';
import type { FolderFacts } from './folder-facts.ts';

export interface ChatBackend extends RondoClient, AsyncDisposable {
  /** Tells whether the server is reachable. Always connected if the sessions are in this process. */
  readonly link: Link;
  /** The name under which answers from here are recorded. */
  readonly self: string;
  theme(agent: string): Promise<Theme>;
  branch(folder: string): Promise<string | undefined>;
  /** Content of the file that a request changes, for its diff. Undefined if it isn't a small text file here. */
  fileBefore(question: OpenQuestion, cwd: string): Promise<string | undefined>;
  /** For the start screen. Undefined on another machine. */
  folder(folder: string): Promise<FolderFacts | undefined>;
  /** Whether commands run in a working sandbox. */
  hasSandbox(): Promise<boolean>;
  /** Writes a file into the chat's folder and returns its path. */
  save(file: SavedFile): Promise<string>;
}

interface Link {
  readonly isLost: boolean;
  /** When it tries to reconnect. Undefined while it tries. */
  readonly nextTryAt?: number | undefined;
  /** What became of a server on this machine that is lost. Undefined: it can't be told. */
  readonly process?: 'gone' | 'alive' | undefined;
  retry?(): void;
  /** Called after each change. */
  watch(changed: () => void): void;
}
