/** Which commands a typed word means, best first. */
import type { CommandSpec } from '../../commands/registry.ts';

/**
 * The whole name, then names that start with the word, that contain it, whose words have these initials, and last
 * descriptions that contain it. Commands that were used lately come first among equals, the others by name.
 */
export function rankedCommands(
  all: readonly CommandSpec[],
  word: string,
  recent: readonly string[] = [],
): readonly CommandSpec[] {
  const age = new Map(recent.toReversed().map((name, index) => [name, -index - 1]));
  return all
    .map((command) => ({ command, rank: rankOf(command, word), used: age.get(command.name) ?? 0 }))
    .filter(({ rank }) => rank < unmatched)
    .toSorted((a, b) => a.rank - b.rank || a.used - b.used || (a.command.name < b.command.name ? -1 : 1))
    .map(({ command }) => command);
}

/** The names of the commands in typed lines, each once. */
export function commandsIn(lines: readonly string[]): readonly string[] {
  return [...new Set(lines.flatMap((line) => /^\/([\w:-]+)/.exec(line)?.[1]?.toLowerCase() ?? []))];
}

const unmatched = 5;

function rankOf({ name, summary, aliases = [] }: CommandSpec, word: string): number {
  const names = [name, ...aliases];
  if (name === word) return 0;
  if (names.some((own) => own.startsWith(word))) return 1;
  if (word.length > 1 && names.some((own) => own.includes(word))) return 2;
  // Letters in any place would run another command than a mistyped name means.
  if (word.length > 1 && names.some((own) => initialsOf(own).startsWith(word))) return 3;
  return word.length > 2 && summary.toLowerCase().includes(word) ? 4 : unmatched;
}

/** `gc` for `git:commit`. */
function initialsOf(name: string): string {
  return name
    .split(/[:_-]+/)
    .map((word) => word.charAt(0))
    .join('');
}

/** True if the text has these letters in this order. */
export function hasLetters(text: string, letters: string): boolean {
  let at = -1;
  for (const letter of letters) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}
