import type { Limits } from '../kernel/limits.ts';

/** `cost 5, tool calls 20`: changed limits and their new values. */
export function limitsText(limits: Partial<Limits>): string {
  return Object.entries(limits)
    .map(([name, value]) => `${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${value}`)
    .join(', ');
}
