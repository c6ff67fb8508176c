/**
 * What an agent wants run in a terminal, as one line of our shell. The line is what is judged and what is run, so
 * that nothing is read in two ways: environment changes stand in it as `export`.
 */
import { commandLine } from './permission-call.ts';
import type { Served } from './served-files.ts';

export interface TerminalLine {
  readonly line: string;
  /** Set beside the line: variables that change no program's meaning. */
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
  // Some agents give a whole command line as the command.
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
