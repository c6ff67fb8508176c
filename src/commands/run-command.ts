/** Looks up, validates and runs a line that may be a command, with the same messages in every front end. */
import { Fault } from '../kernel/fault.ts';
import { misuse, type Command, type CommandPlace } from './command.ts';
import type { CommandResult } from './command-result.ts';
import { createCommandRegistry, type CommandRegistry } from './registry.ts';
import { builtInCommands } from './built-in-commands.ts';

/** `screen` includes the commands that act on the conversation on a screen. */
export function commandsOf(frontEnd: 'screen' | 'lines'): CommandRegistry<Command> {
  const isHere = ({ isForScreens }: Command) => frontEnd === 'screen' || isForScreens === undefined;
  return createCommandRegistry(builtInCommands.filter(isHere), {
    notHere: builtInCommands.filter((command) => !isHere(command)),
  });
}

/** The command of a line, if only a person may use it. */
export function commandForPeople(line: string): string | undefined {
  const commands = commandsOf('screen');
  const decision = commands.decide(line);
  const command = 'name' in decision ? commands.get(decision.name) : undefined;
  return command?.isForPeople === true ? `/${command.name}` : undefined;
}

/** Undefined if the line is a prompt. */
export async function runSlashCommand(line: string, place: CommandPlace): Promise<CommandResult | undefined> {
  const { commands } = place;
  const decision = commands.decide(line);
  switch (decision.type) {
    case 'no-command':
    case 'verb':
      return undefined;
    case 'command':
      return carriedOut(() => commands.get(decision.name)?.run(decision.args, place));
    case 'missing-argument':
      return misuse(`/${decision.name} needs ${decision.parameter}. Usage: ${decision.usage}`);
    case 'too-many-arguments':
      return misuse(`/${decision.name} takes fewer arguments. Usage: ${decision.usage}`);
    case 'not-here':
      return misuse(`/${decision.name} needs a conversation on a screen: use \`rondo chat\` or the web app`);
    case 'unknown': {
      // A command from a file is a prompt: the session adds the file's text.
      const files = await place.rondo.commands(place.session?.id);
      if (files.some(({ name }) => name === decision.name)) return undefined;
      const near = decision.nearest === undefined ? '' : ` Did you mean /${decision.nearest}?`;
      return misuse(`Unknown command /${decision.name}.${near} /help lists the commands.`);
    }
  }
}

/** A missing resource is an error in the typed command, even if a port reports it as a fault. */
async function carriedOut(
  run: () => CommandResult | Promise<CommandResult> | undefined,
): Promise<CommandResult | undefined> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Fault && error.code === 'not-found') return { type: 'refused', message: error.message };
    throw error;
  }
}
