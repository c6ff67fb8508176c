/** A command: one implementation over `SessionClient`, for every front end. It returns data; front ends render it. */
import type { RondoClient } from '../ports/rondo-client.ts';
import type { SessionClient } from '../ports/session-client.ts';
import type { CommandResult } from './command-result.ts';
import type { CommandRegistry, CommandSpec } from './registry.ts';

export interface Command extends CommandSpec {
  /** It acts on the conversation on a screen: `rondo run` and editors have none. */
  readonly isForScreens?: true;
  run(args: CommandArgs, place: CommandPlace): CommandResult | Promise<CommandResult>;
}

export type CommandArgs = Readonly<Record<string, string | undefined>>;

/** Where a command runs. */
export interface CommandPlace {
  readonly rondo: RondoClient;
  /** The session it is about; undefined where none was named. */
  readonly session: SessionClient | undefined;
  readonly commands: CommandRegistry<Command>;
  /** Keeps a file where this front end keeps files, and returns where that is. */
  readonly save: (file: SavedFile) => Promise<string>;
  /** Where the front end keeps a conversation for each agent: moves to that of another. */
  readonly switchAgent?: (agent: string) => Promise<void>;
}

export interface SavedFile {
  readonly name: string;
  readonly pieces: AsyncIterable<string | Uint8Array>;
}

export type SessionPlace = CommandPlace & { readonly session: SessionClient };

/** A command that needs a session. */
export function sessionCommand(
  command: Omit<Command, 'run'> & {
    run(args: CommandArgs, place: SessionPlace): CommandResult | Promise<CommandResult>;
  },
): Command {
  return {
    ...command,
    run(args, place) {
      const { session } = place;
      if (session === undefined) return usage('which session? name it with --session ID');
      return command.run(args, { ...place, session });
    },
  };
}

/** A mistake in what was typed. */
export function usage(message: string): CommandResult {
  return { type: 'refused', message, isUsage: true };
}
