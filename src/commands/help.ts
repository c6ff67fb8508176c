import type { Command } from './command.ts';

export const help: Command = {
  name: 'help',
  parameters: [{ name: 'command' }],
  summary: 'list the commands, or explain one',
  run: ({ command }, { commands }) => ({ type: 'help', commands: commands.help(command) }),
};
