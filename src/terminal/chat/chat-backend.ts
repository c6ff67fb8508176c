/**
 * Where a chat's sessions are: in this process, or behind a server. The chat itself can't tell, so that a browser and a
 * terminal on one server show the same session, and a terminal alone needs no server.
 */
import type { SavedFile } from '../../commands/command.ts';
import type { RondoClient } from '../../ports/rondo-client.ts';
import type { Theme } from '../theme.ts';

export interface ChatBackend extends RondoClient, AsyncDisposable {
  /** Whether the server can be reached at this moment; always, where the sessions are in this process. */
  readonly link: Link;
  /** The name under which answers given here are recorded. */
  readonly self: string;
  theme(agent: string): Promise<Theme>;
  branch(): Promise<string | undefined>;
  /** Writes a file into the folder of the chat, and returns its path. */
  save(file: SavedFile): Promise<string>;
}

export interface Link {
  readonly isLost: boolean;
  /** Called after each change. */
  watch(changed: () => void): void;
}
