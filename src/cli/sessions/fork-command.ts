import path from 'node:path';

import { thisMachine } from '../../assembly/sessions/this-machine.ts';
import { createSystemIds } from '../../runtime/system-ids.ts';
import { forkSession } from '../../session/branch/fork-session.ts';
import type { CliCommand } from '../command.ts';
import { parseOptions, storedOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { terminalActor } from '../terminal-actor.ts';
import { pointFrom, pointOptions } from './point-option.ts';
import { namedSession } from './stored-sessions.ts';
import { optional } from '../../kernel/optional.ts';

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
    const ids = createSystemIds(() => Date.now());
    const cwd = values.folder === undefined ? undefined : path.resolve(values.folder);
    const parts = {
      store,
      newId: () => ids.session(),
      now: () => Date.now(),
      ...(store.isShared === true && { machine: thisMachine() }),
    };
    const forked = await forkSession(parts, origin, {
      by: terminalActor,
      ...optional({ at, title: values.title, cwd }),
    });
    if (values.json === true) printJson(forked);
    else console.log(forked.session);
    return 0;
  },
};
