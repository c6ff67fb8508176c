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
    throw usageError(`--${flag} takes a ${kind === 'whole' ? 'whole number' : 'number'} from 0 on, not "${text}"`);
  }
  return value;
}
