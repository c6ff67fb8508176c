/** A command: one implementation over `SessionClient`, for every front end. It returns data; front ends render it. */
import type { RondoClient } from '../ports/rondo-client.ts';
import type { SessionClient } from '../ports/session-client.ts';
import type { CommandResult } from './command-result.ts';
import type { CommandRegistry, CommandSpec } from './registry.ts';

export interface Command extends CommandSpec {
  /** Acts on the conversation on a screen, which `rondo run` and editors don't have. */
  readonly isForScreens?: true;
  /** Answers or permits something, so a program that runs inside a session may not use it (S19). */
  readonly isForPeople?: true;
  run(args: CommandArgs, place: CommandPlace): CommandResult | Promise<CommandResult>;
}

type CommandArgs = Readonly<Record<string, string | undefined>>;

/** The context in which a command runs. */
export interface CommandPlace {
  readonly rondo: RondoClient;
  /** The command's session. Undefined if none was named. */
  readonly session: SessionClient | undefined;
  readonly commands: CommandRegistry<Command>;
  /** Saves a file in the front end's place for files and returns its location. */
  readonly save: (file: SavedFile) => Promise<string>;
  /** Switches to another agent's conversation. Only in front ends that keep one per agent. */
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
      if (session === undefined) return misuse('which session? name it with --session ID');
      return command.run(args, { ...place, session });
    },
  };
}

/** An error in the typed command. */
export function misuse(message: string): CommandResult {
  return { type: 'refused', message, isUsage: true };
}
