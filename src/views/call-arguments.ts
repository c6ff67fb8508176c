import type { Body } from '../kernel/content.ts';

export type CallArguments = Readonly<Record<string, unknown>>;

/** A call's arguments by name. Undefined if they are truncated or not an object. */
export function argumentsOf(args: Body): CallArguments | undefined {
  if (typeof args !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(args === '' ? '{}' : args);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as CallArguments)
      : undefined;
  } catch {
    return undefined;
  }
}
