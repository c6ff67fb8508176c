import path from 'node:path';

import { forkAt } from '../../commands/fork.ts';
import { optional } from '../../kernel/optional.ts';
import type { CliCommand } from '../command.ts';
import { parseOptions, storedOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { pointFrom, pointOptions } from './point-option.ts';
import { storedClient } from './stored-client.ts';
import { namedSession } from './stored-sessions.ts';

const options = {
  ...pointOptions,
  title: { type: 'string', value: 'TEXT', help: "title of the new session (default: the original's)" },
  folder: { type: 'string', value: 'DIR', help: "folder of the new session (default: the original's)" },
  ...storedOptions,
} as const;

export const forkCommand: CliCommand = {
  usage: ['fork SESSION [--at EVENT | --turn N] [--title TEXT] [--folder DIR]'],
  about: `Forks a session at its end or an earlier point. The fork shares the conversation up to there, then both continue
separately. The original doesn't change; it may be running, closed or terminated. SESSION is an id, a prefix, or
"latest". Prints the id of the new session.`,
  options,
  async run(argv) {
    const { values, words } = parseOptions(options, argv, { most: 1 });
    await using stored = await namedSession(words[0], values);
    const { store, session: origin } = stored;
    const at = await pointFrom(values, store.journal, origin);
    const cwd = values.folder === undefined ? undefined : path.resolve(values.folder);
    await using client = storedClient(stored, origin);
    const forking: typeof client = {
      ...client,
      fork: (point) => client.fork({ ...point, ...optional({ title: values.title, cwd }) }),
    };
    const { session } = await forkAt(forking, at === undefined ? undefined : { event: at });
    if (values.json === true) printJson({ session: session.id, origin, at: (await session.status()).origin?.at });
    else console.log(session.id);
    return 0;
  },
};
