/**
 * Runs a slash command given as the prompt of `rondo run`. Its result goes to standard output. Undefined for a
 * command from a file, which is a prompt.
 */
import { createLocalClient } from '../../assembly/local-client.ts';
import { resultLines } from '../../commands/lines/result-lines.ts';
import { commandsOf, runSlashCommand } from '../../commands/run-command.ts';
import { Fault } from '../../kernel/fault.ts';
import { saveIn } from '../save-file.ts';
import { createCatalog } from '../serve/catalog.ts';
import { terminalActor } from '../terminal-actor.ts';
import { coloredText, terminalOf } from '../terminal.ts';
import { usageError } from '../usage-error.ts';
import type { Workspace } from '../workspace.ts';
import type { RunCommandOptions } from './run-options.ts';
import { openSessionAtRest } from './session-at-rest.ts';

export async function runSlash(
  line: string,
  workspace: Workspace,
  options: RunCommandOptions,
): Promise<number | undefined> {
  const { cwd, json } = options;
  const session = options.session === undefined ? undefined : await openSessionAtRest(workspace, options.session);
  const rondo = createLocalClient({
    rondo: workspace.rondo,
    catalog: createCatalog(workspace),
    cwd,
    by: terminalActor,
  });
  const result = await runSlashCommand(line, { rondo, session, commands: commandsOf('lines'), save: saveIn(cwd) });
  if (result === undefined) return undefined;
  const about = session === undefined ? '' : `Session ${session.id}: `;
  if (result.type === 'failed') throw new Fault('process', `${about}${result.message}`);
  if (result.type === 'refused')
    throw usageError(result.isUsage === true ? result.message : `${about}${result.message}`);
  const terminal = terminalOf(process.stdout);
  const text = (await resultLines(result, terminal)).join('\n');
  const record = { type: 'result', session: session?.id ?? null, outcome: 'completed', text };
  console.log(json ? JSON.stringify(record) : coloredText(text, terminal));
  return 0;
}
