import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { thisMachine } from '../../assembly/sessions/this-machine.ts';
import { leaveFolder } from '../../session/branch/leave-folder.ts';
import type { CliCommand } from '../command.ts';
import { parseOptions, storedOptions } from '../option-table.ts';
import { personOnly } from '../person-only.ts';
import { printJson } from '../print-json.ts';
import { storeFlagOf } from '../store-flag.ts';
import { terminalActor } from '../terminal-actor.ts';
import { nextAfter } from './next-owner.ts';
import { namedSession } from './stored-sessions.ts';

const options = {
  folder: { type: 'string', value: 'DIR', help: 'folder to continue in (default: this one)' },
  ...storedOptions,
} as const;

export const continueCommand: CliCommand = {
  usage: ['continue SESSION [--folder DIR]'],
  about: `Continues a session in a folder here if its own machine is gone. The conversation moves; the files don't, and the
agent learns that. To leave the session to its machine, fork it instead. SESSION is an id, a prefix, or "latest".`,
  options,
  async run(argv) {
    const { values, words } = parseOptions(options, argv, { most: 1 });
    personOnly('continue');
    await using stored = await namedSession(words[0], values);
    const { store, session } = stored;
    const cwd = path.resolve(values.folder ?? '.');
    const machine = thisMachine();
    await leaveFolder({ store, now: Date.now, wait: patience() }, session, { cwd, machine, by: terminalActor });
    const { servers, resume } = await nextAfter(
      store,
      (await stored.load(session)).state,
      storeFlagOf(values.store),
    );
    if (values.json === true) printJson({ session, cwd, machine });
    else
      console.log(
        `${session} continues in ${cwd} on ${machine}. ${servers.length === 0 ? `Resume it: ${resume}` : `${servers.join(' or ')} takes it over.`}`,
      );
    return 0;
  },
};

/** A process is known to be gone once it was silent for a whole lease. */
function patience(): () => Promise<void> {
  const until = Date.now() + mostWaitMs;
  return async () => {
    if (Date.now() > until) throw new Error('still owned');
    await setTimeout(1_000);
  };
}

const mostWaitMs = 45_000;
