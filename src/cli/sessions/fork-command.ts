import { createSystemIds } from '../../runtime/system-ids.ts';
import { forkSession } from '../../session/branch/fork-session.ts';
import type { Command } from '../command.ts';
import { commonOptions, jsonOption, parseOptions, storeOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { terminalActor } from '../terminal-actor.ts';
import { usageError } from '../usage-error.ts';
import { pointFrom, pointOptions } from './point-option.ts';
import { storedSessionsFor } from './stored-sessions.ts';

const options = {
  ...pointOptions,
  title: { type: 'string', value: 'TEXT', help: "the new session's title (default: its origin's)" },
  ...jsonOption,
  ...storeOptions,
  ...commonOptions,
} as const;

export const forkCommand: Command = {
  usage: ['fork SESSION [--at EVENT | --turn N] [--title TEXT]'],
  about: `Makes a new session that goes on where another is, or was: it shares the conversation so far, and from there
each goes its own way. The other one is not touched; it may be running, closed or terminated. SESSION is an id, the
beginning of one, or "latest". Prints the id of the new session.`,
  options,
  async run(argv) {
    const { values, words } = parseOptions(options, argv, { most: 1 });
    const [given] = words;
    if (given === undefined) throw usageError('which session? `rondo ls` shows those there are');
    await using stored = await storedSessionsFor(given, values);
    const { store } = stored;
    const origin = await stored.find(given);
    const at = await pointFrom(values, store.journal, origin);
    const ids = createSystemIds(() => Date.now());
    const forked = await forkSession({ store, newId: () => ids.session(), now: () => Date.now() }, origin, {
      by: terminalActor,
      ...(at !== undefined && { at }),
      ...(values.title !== undefined && { title: values.title }),
    });
    if (values.json === true) printJson(forked);
    else console.log(forked.session);
    return 0;
  },
};
