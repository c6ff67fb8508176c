/** A slash command as the prompt of `rondo run`: what it shows goes to standard output. */
import { createSlashCommands, type SlashDecision } from '../../protocol/slash-commands.ts';
import { standardSlashCommands } from '../../protocol/standard-slash-commands.ts';
import { findSession, noSession } from '../../session/read/find-session.ts';
import { loadSession } from '../../session/read/load-session.ts';
import type { RunOptions } from '../run/run-options.ts';
import { usageError } from '../usage-error.ts';
import type { Workspace } from '../workspace.ts';
import { slashHandlers, type SlashPlace } from './slash-handlers.ts';

export async function runSlashCommand(text: string, workspace: Workspace, options: RunOptions): Promise<number> {
  const known = standardSlashCommands.filter(({ name }) => Object.hasOwn(slashHandlers, name));
  const notHere = standardSlashCommands.flatMap((command) => [
    command.name,
    ...('aliases' in command ? command.aliases : []),
  ]);
  const commands = createSlashCommands(known, { notHere });
  const { name, args } = commandOf(commands.decide(text));
  const handler = slashHandlers[name];
  if (handler === undefined) throw usageError(`/${name} needs a conversation on a screen: \`rondo chat\` has it`);
  const place: SlashPlace = { workspace, commands, session: await sessionOf(workspace, options.session) };
  const shown = await handler(args, place);
  const record = { type: 'result', session: place.session?.state.id ?? null, outcome: 'completed', text: shown };
  console.log(options.json ? JSON.stringify(record) : shown);
  return 0;
}

function commandOf(decision: SlashDecision): Extract<SlashDecision, { type: 'command' }> {
  switch (decision.type) {
    case 'command':
      return decision;
    case 'missing-argument':
      throw usageError(`/${decision.name} needs ${decision.parameter}: ${decision.usage}`);
    case 'too-many-arguments':
      throw usageError(`/${decision.name} was given too much: ${decision.usage}`);
    case 'not-here':
      throw usageError(`/${decision.name} needs a conversation on a screen: \`rondo chat\` has it`);
    case 'unknown': {
      const near = decision.nearest === undefined ? ';' : `; did you mean /${decision.nearest}?`;
      throw usageError(`there is no command /${decision.name}${near} \`rondo run /help\` lists them`);
    }
    // A verb with its task is a prompt, and never comes here.
    case 'verb':
    case 'no-command':
      throw usageError('a command begins with / and a word; `rondo run /help` lists them');
  }
}

async function sessionOf({ store }: Workspace, named: string | undefined): Promise<SlashPlace['session']> {
  if (named === undefined) return undefined;
  const id = await findSession(store.journal, named);
  const loaded = id === undefined ? undefined : await loadSession(store.journal, id);
  if (loaded === undefined) throw noSession(named);
  return loaded;
}
