import type { FileCommandEntry } from '../ports/rondo-client.ts';
import type { Command } from './command.ts';
import type { CommandSpec } from './registry.ts';

export const help: Command = {
  name: 'help',
  parameters: [{ name: 'command' }],
  summary: 'list the commands, or explain one',
  async run({ command }, { commands, rondo, session }) {
    const builtIn = new Set(commands.list().map(({ name }) => name));
    // A file can't replace a command, so it isn't listed as one.
    const files = (await rondo.commands(session?.id))
      .filter(({ name }) => !builtIn.has(name))
      .map(fileCommandSpec);
    const wanted = command?.toLowerCase().replace(/^\//, '');
    const file = files.find(({ name }) => name === wanted);
    const isNamed = wanted !== undefined && commands.help(command).length === 1;
    if (isNamed) return { type: 'help', commands: commands.help(command) };
    return { type: 'help', commands: file === undefined ? [...commands.help(), ...files] : [file] };
  },
};

/** A command from a file, as help and completion show it. */
export function fileCommandSpec({ name, summary, hint, from }: FileCommandEntry): CommandSpec {
  const parameters = hint === undefined ? {} : { parameters: [{ name: hint.replaceAll(/^\[|\]$/g, '') }] };
  return { name, ...parameters, summary: `${summary} (${from})` };
}
