import { nearestName } from '../kernel/nearest-name.ts';

/** A mistake of whoever wrote the command or its configuration: exit code 2. */
export interface UsageError extends Error {
  readonly usage: 'words' | 'configuration';
}

/** In the command's words: told with the way to its help. */
export function usageError(message: string): UsageError {
  return Object.assign(new Error(message), { usage: 'words' as const });
}

/** A command's second word that it does not know, or that is missing. */
export function unknownWord(command: string, word: string | undefined, known: readonly string[]): UsageError {
  const all = known.join(', ');
  if (word === undefined) return usageError(`use one of ${all}`);
  const nearest = nearestName(word, known);
  const meant = nearest === undefined ? '' : ` did you mean "${nearest}"?`;
  return usageError(`unknown command "${command} ${word}";${meant} use one of ${all}`);
}

/** In a configuration file: the message names the place. */
export function configurationError(message: string): UsageError {
  return Object.assign(new Error(message), { usage: 'configuration' as const });
}

export function usageProblemOf(error: unknown): UsageError['usage'] | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, usage } = error as { code?: unknown; usage?: UsageError['usage'] };
  return usage ?? (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS') ? 'words' : undefined);
}
