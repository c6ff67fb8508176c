import { commandGroups } from '../src/cli/command-table.ts';
import { commandHelp } from '../src/cli/command.ts';

/** The text of docs/api/commands.md: the help of every command, in the groups of `rondo --help`. */
export async function commandReference(): Promise<string> {
  const groups = Object.entries(commandGroups).map(async ([title, group]) => {
    const entries = Object.entries(group).map(
      async ([name, { load }]) => `### rondo ${name}\n\n\`\`\`text\n${commandHelp(await load())}\n\`\`\`\n`,
    );
    return `## ${title}\n\n${(await Promise.all(entries)).join('\n')}`;
  });
  return `# Commands\n\nEach command with its options, as \`rondo COMMAND --help\` prints them.\n\n${(await Promise.all(groups)).join('\n')}`;
}
