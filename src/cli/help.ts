import { commandGroups, commands } from './command-table.ts';

export function helpText(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const groups = Object.entries(commandGroups).map(([title, group]) => {
    const lines = Object.entries(group).map(([name, { summary }]) => `  rondo ${name.padEnd(width)}  ${summary}`);
    return `${title}\n${lines.join('\n')}`;
  });
  return `Rondo runs AI-agent sessions that never lose their place.

${groups.join('\n\n')}

Run \`rondo COMMAND --help\` for the options of a command, \`rondo --version\` for the version.
Rondo stores sessions in $RONDO_HOME (default ~/.rondo). Use --store or RONDO_STORE to store them elsewhere.`;
}
