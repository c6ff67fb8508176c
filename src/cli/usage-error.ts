import { nearestName } from '../kernel/nearest-name.ts';

/** An error in the command line or its configuration: exit code 2. */
interface UsageError extends Error {
  readonly usage: 'words' | 'configuration';
}

/** An error in the command line. The message is shown with a pointer to help. */
export function usageError(message: string): UsageError {
  return Object.assign(new Error(message), { usage: 'words' as const });
}

/** An unknown or missing subcommand. */
export function unknownWord(command: string, word: string | undefined, words: readonly string[]): UsageError {
  const all = words.join(', ');
  if (word === undefined) return usageError(`use one of ${all}`);
  const nearest = nearestName(word, words);
  const meant = nearest === undefined ? '' : ` did you mean "${nearest}"?`;
  return usageError(`unknown command "${command} ${word}";${meant} use one of ${all}`);
}

/** An error in a configuration file. The message names the location. */
export function configurationError(message: string): UsageError {
  return Object.assign(new Error(message), { usage: 'configuration' as const });
}

export function usageProblemOf(error: unknown): UsageError['usage'] | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, usage } = error as { code?: unknown; usage?: UsageError['usage'] };
  return usage ?? (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS') ? 'words' : undefined);
}
