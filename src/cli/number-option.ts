import { usageError } from './usage-error.ts';

/** Parses a numeric option. Undefined if it is absent. */
export function numberFrom(
  flag: string,
  text: string | undefined,
  kind: 'whole' | 'any' = 'whole',
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (
    text.trim() === '' ||
    !Number.isFinite(value) ||
    value < 0 ||
    (kind === 'whole' && !Number.isInteger(value))
  ) {
    throw usageError(
      `--${flag} must be a ${kind === 'whole' ? 'whole number' : 'number'} of 0 or more, not "${text}"`,
    );
  }
  return value;
}
