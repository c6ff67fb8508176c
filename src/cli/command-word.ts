/** A command's subcommands, such as `list` in `rondo jobs list`. */
import { parseOptions, type ParsedOptions, type OptionTable } from './option-table.ts';
import { unknownWord, usageError } from './usage-error.ts';

/** Each subcommand with the maximum number of words after it. */
export type CommandWords = Readonly<Record<string, number>>;

/** Parses the arguments of a command with subcommands. `rest` are the words after the subcommand. */
export function parseWords<Words extends CommandWords, Table extends OptionTable>(
  command: string,
  words: Words,
  options: Table,
  argv: readonly string[],
  byDefault?: keyof Words & string,
) {
  const given = parseOptions(options, argv, { most: Infinity });
  const word = commandWord(command, words, options, given, byDefault);
  return { word, values: given.values, rest: given.words.slice(1) };
}

/**
 * The given subcommand, or the default one. An option that the subcommand doesn't accept and a surplus word are
 * errors: users would take a silently ignored one for done.
 */
export function commandWord<Words extends CommandWords, Table extends OptionTable>(
  command: string,
  words: Words,
  options: Table,
  { values, words: [given, ...rest] }: ParsedOptions<Table>,
  byDefault?: keyof Words & string,
): keyof Words & string {
  const names: readonly (keyof Words & string)[] = Object.keys(words);
  const word = names.find((one) => one === (given ?? byDefault));
  if (word === undefined) throw unknownWord(command, given, names);
  for (const flag of Object.keys(values)) {
    const takers = options[flag]?.of;
    if (takers === undefined || takers.includes(word)) continue;
    const places = takers.map((taker) => `\`rondo ${command} ${taker}\``).join(' and ');
    throw usageError(`--${flag} doesn't apply to \`rondo ${command} ${word}\`; use it with ${places}`);
  }
  const extra = rest[words[word] ?? 0];
  if (extra !== undefined) throw usageError(`unexpected argument "${extra}"; put text with spaces in quotes`);
  return word;
}
