/** Slash commands that make sense in an editor; the others belong to its own buttons and menus. */
import { createSlashCommands, type SlashCommand } from '../../protocol/slash-commands.ts';
import { standardSlashCommands } from '../../protocol/standard-slash-commands.ts';
import { loadSession } from '../../session/read/load-session.ts';
import type { Session } from '../../session/handle/session.ts';
import { slashHandlers } from '../slash/slash-handlers.ts';
import { usageProblemOf } from '../usage-error.ts';
import type { Workspace } from '../workspace.ts';

const OFFERED: ReadonlySet<string> = new Set([
  'help',
  'agents',
  'status',
  'usage',
  'context',
  'compact',
  'history',
  'workers',
  'jobs',
  'why',
  'sessions',
]);

export function editorCommands(workspace: Workspace) {
  const known: readonly SlashCommand[] = standardSlashCommands.filter(
    ({ name }) => OFFERED.has(name) && Object.hasOwn(slashHandlers, name),
  );
  const commands = createSlashCommands(known);
  return {
    list: commands.list().map(({ name, summary, parameters }) => ({
      name,
      summary,
      ...(parameters?.[0] !== undefined && { hint: parameters[0].name }),
    })),
    async run(text: string, session: Session): Promise<string | undefined> {
      const decision = commands.decide(text);
      switch (decision.type) {
        case 'verb':
        case 'no-command':
          return undefined;
        case 'unknown':
        case 'not-here': {
          const near = 'nearest' in decision ? ` Did you mean /${decision.nearest}?` : '';
          return `There is no command /${decision.name} here.${near}\n\n${commands.help()}`;
        }
        case 'missing-argument':
        case 'too-many-arguments':
          return decision.usage;
        case 'command':
          break;
      }
      const handler = slashHandlers[decision.name];
      const loaded = await loadSession(workspace.store.journal, session.id);
      try {
        return await handler?.(decision.args, { workspace, commands, session: loaded });
      } catch (error) {
        if (usageProblemOf(error) !== undefined && error instanceof Error) return error.message;
        throw error;
      }
    },
  };
}
