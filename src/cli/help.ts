import { commands } from './command-table.ts';

export function helpText(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(([name, { summary }]) => `  rondo ${name.padEnd(width)}  ${summary}`);
  return `Rondo runs AI-agent sessions that never lose their place.

${lines.join('\n')}

  rondo <command> --help   show a command's options
  rondo --version          show the version

Rondo stores sessions in $RONDO_HOME (default ~/.rondo). Use --store or RONDO_STORE to store them elsewhere.`;
}
