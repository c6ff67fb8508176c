import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { ImportReport } from '../../upkeep/import-bundle.ts';
import type { CliCommand } from '../command.ts';
import { parseOptions, storedOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { usageError } from '../usage-error.ts';
import { openSessionStore } from './stored-session-store.ts';

const options = {
  from: { type: 'string', value: 'TOOL', help: 'import from claude, codex, gemini or opencode' },
  all: { type: 'boolean', help: 'with --from: of all folders (default: of this one)' },
  'up-to-damage': { type: 'boolean', help: 'import the intact part of a damaged bundle' },
  ...storedOptions,
} as const;

export const importCommand: CliCommand = {
  usage: ['import FILE', 'import --from TOOL [--all]'],
  about: `Imports the sessions of a bundle into this store. They keep their ids if those are free. Otherwise they get new ids
and their origin is recorded. A changed or truncated bundle is refused: Rondo names the first bad record and writes
nothing. Only the history is imported: rules, grants, folder, agent, model, limits and work in flight are dropped.
Continue with "rondo run --session ID" in the folder of your choice.

--from imports conversations that Claude Code, Codex, Gemini CLI or OpenCode recorded on this machine, those of this
folder by default. A conversation that is here already is left out.`,
  options,
  async run(argv) {
    const { values, words } = parseOptions(options, argv, { most: 1 });
    const [given] = words;
    if (values.from !== undefined) {
      if (given !== undefined) throw usageError('--from finds the conversations itself; leave out the file');
      const { importFrom } = await import('./import-from.ts');
      return importFrom(values.from, { ...values, home: os.homedir() });
    }
    if (values.all === true) throw usageError('--all needs --from');
    if (given === undefined) throw usageError('which bundle? `rondo export` creates one');
    const file = path.resolve(given);
    if (!existsSync(file)) throw usageError(`file not found: ${given}`);
    await using opened = await openSessionStore(values);
    const report = await opened.sessions.import(file, {
      upToDamage: values['up-to-damage'] === true,
      name: given,
    });
    if (values.json === true) {
      const { state: _, ...rest } = report;
      printJson(rest);
    } else {
      console.log(report.sessions[0]?.session ?? '');
    }
    for (const note of notesOn(report)) console.error(`rondo import: ${note}`);
    return 0;
  },
};

/** Notes for the user who resumes it. */
function notesOn({ sessions, leftOut, redacted, damage, state }: ImportReport): readonly string[] {
  return [
    ...sessions.flatMap(({ session, origin, role }) =>
      session === origin
        ? []
        : [
            `${origin} already exists here: ${role === 'main' ? 'imported' : `its ${role} session is`} as ${session}`,
          ],
    ),
    ...(damage === undefined ? [] : [`the bundle is damaged: ${damage}; imported up to event ${state.seq - 1}`]),
    ...(leftOut.length === 0 ? [] : [`${leftOut.length} sub-agents are not in the bundle`]),
    ...(redacted === 0 ? [] : [`secrets are redacted in ${redacted} places: the agent sees [redacted] there`]),
    `only the history was imported; continue with: rondo run --session ${state.id}`,
  ];
}
