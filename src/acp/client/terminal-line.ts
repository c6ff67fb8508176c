/**
 * Converts an agent's terminal request to one line for Rondo's shell. The same line is judged and run, so that
 * there is only one reading of it: it contains environment changes as `export`.
 */
import { commandLine } from './permission-meaning.ts';
import type { Served } from './served-files.ts';

interface TerminalLine {
  readonly line: string;
  /** Variables set outside the line, because they don't change what a program does. */
  readonly env: Readonly<Record<string, string>>;
}

type Variable = { readonly name: string; readonly value: string };

export function terminalLine(
  command: string,
  args: readonly string[],
  variables: readonly Variable[],
): Served<TerminalLine> {
  const bad = variables.find(({ name, value }) => !/^[A-Za-z_]\w*$/.test(name) || value.includes('\0'));
  if (bad !== undefined)
    return { type: 'refused', message: `Invalid environment variable ${JSON.stringify(bad.name)}` };
  const judged = variables.filter(({ name }) => !harmless.test(name));
  const harmlessOnes = variables.filter(({ name }) => harmless.test(name));
  // Some agents pass a whole command line as the command.
  const words = args.length === 0 ? command : commandLine([command, ...args]);
  const exported = judged.map(({ name, value }) => `${name}='${value.replaceAll("'", `'\\''`)}'`).join(' ');
  return {
    type: 'done',
    value: {
      line: exported === '' ? words : `export ${exported}\n${words}`,
      env: Object.fromEntries(harmlessOnes.map(({ name, value }) => [name, value])),
    },
  };
}

const harmless = /^(?:CI|NODE_ENV|TZ|FORCE_COLOR|NO_COLOR|COLUMNS|LINES|LANG|LC_[A-Z]+)$/;
