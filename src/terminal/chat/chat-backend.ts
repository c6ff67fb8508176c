/**
 * A chat's sessions: in this process, or behind a server. The chat can't tell the difference. So a browser and a
 * terminal on one server show the same session, and a terminal alone needs no server.
 */
import type { SavedFile } from '../../commands/command.ts';
import type { RondoClient } from '../../ports/rondo-client.ts';
import type { Theme } from '../theme.ts';

export interface ChatBackend extends RondoClient, AsyncDisposable {
  /** Tells whether the server is reachable. Always connected if the sessions are in this process. */
  readonly link: Link;
  /** The name under which answers from here are recorded. */
  readonly self: string;
  theme(agent: string): Promise<Theme>;
  branch(): Promise<string | undefined>;
  /** Writes a file into the chat's folder and returns its path. */
  save(file: SavedFile): Promise<string>;
}

export interface Link {
  readonly isLost: boolean;
  /** Called after each change. */
  watch(changed: () => void): void;
}
