import type { CommandWords } from './command-word.ts';
import { optionHelp, type OptionTable } from './option-table.ts';

/** One command of the command line. */
export interface Command {
  /** The forms it is written in, without `rondo`. */
  readonly usage: readonly string[];
  /** What it does, for its help. */
  readonly about: string;
  readonly options: OptionTable;
  /** Its first word, where that is one of a few. */
  readonly words?: CommandWords;
  /** The exit code. Mistakes in `argv` are thrown as usage errors. */
  run(argv: readonly string[]): Promise<number>;
}

/** A command before it is loaded. */
export interface CommandEntry {
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

export function commandHelp({ usage, about, options }: Command): string {
  const forms = usage.map((form) => `rondo ${form}`).join('\n');
  return `${forms}\n\n${about}\n\n${optionHelp(options)}`;
}
