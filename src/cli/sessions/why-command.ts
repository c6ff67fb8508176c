import { existsSync } from 'node:fs';

import type { CliCommand } from '../command.ts';
import { configOf } from '../folder-config.ts';
import { parseOptions, storedOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { usageError } from '../usage-error.ts';
import { namedSession } from './stored-sessions.ts';

const options = storedOptions;

export const whyCommand: CliCommand = {
  usage: ['why SESSION [EVENT]'],
  about: `Shows how Rondo understood a session's newest prompt (or the prompt that EVENT belongs to), which rules fired, what
they denied for the turn, and which pieces of the prompt were chosen or dropped. SESSION is an id, a prefix, or
"latest".`,
  options,
  async run(argv) {
    const { values, words } = parseOptions(options, argv, { most: 2 });
    const [given, event] = words;
    const number = event === undefined ? undefined : Number(event);
    if (number !== undefined && !Number.isInteger(number))
      throw usageError(`invalid event number "${event}"; \`rondo show ${given} --events\` lists them`);
    await using stored = await namedSession(given, values);
    const { session } = stored;
    const { state } = await stored.load(session);
    const config = await configOf({ cwd: existsSync(state.cwd) ? state.cwd : process.cwd() });
    const tools = state.agent.tools ?? 'all';
    const [{ whyTurn }, { turnsOf }] = await Promise.all([
      import('../../assembly/why-turn.ts'),
      import('../../assembly/agents/intent-extensions.ts'),
    ]);
    const place = { tools, cwd: state.cwd, turns: await turnsOf(config), event: number };
    const why = await whyTurn((range) => stored.store.journal.read(session, range), place);
    if (why === undefined) {
      console.error(`rondo why: session ${session} has no prompt with a detected intent`);
      return 1;
    }
    const { prompt, rules, explained, lines } = why;
    if (values.json === true) printJson({ session, prompt, rules, ...explained });
    else console.log(lines.join('\n'));
    return 0;
  },
};
