/** `rondo attach SESSION`: the same as `rondo chat --follow SESSION`. */
import { chatCommand } from './chat-command.ts';
import { followOptions } from './chat-options.ts';
import type { CliCommand } from '../command.ts';
import { commonOptions, parseOptions } from '../option-table.ts';
import { usageError } from '../usage-error.ts';

const options = { ...followOptions, ...commonOptions } as const;

export const attachCommand: CliCommand = {
  usage: ['attach SESSION'],
  about: 'Follows a session of a running server and talks to it: an alias of `rondo chat --follow SESSION`.',
  options,
  async run(argv) {
    const { words } = parseOptions(options, argv, { most: 1 });
    const [session] = words;
    if (session === undefined) throw usageError('which session? `rondo ls` lists them');
    return chatCommand.run(['--follow', session, ...argv.filter((word) => word !== session)]);
  },
};
