import type { CommandWords } from './command-word.ts';
import { optionHelp, type OptionTable } from './option-table.ts';

export interface CliCommand {
  /** Its usage forms, without `rondo`. */
  readonly usage: readonly string[];
  /** A description for its help. */
  readonly about: string;
  readonly options: OptionTable;
  /** Its subcommands, if it has any. */
  readonly words?: CommandWords;
  /** Returns the exit code. Throws errors in `argv` as usage errors. */
  run(argv: readonly string[]): Promise<number>;
}

/** A command that isn't loaded yet. */
export interface CommandEntry {
  readonly summary: string;
  readonly load: () => Promise<CliCommand>;
}

export function commandHelp({ usage, about, options }: CliCommand): string {
  const forms = usage.map((form) => `rondo ${form}`).join('\n');
  return `${forms}\n\n${about}\n\n${optionHelp(options)}`;
}
