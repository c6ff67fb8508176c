import { ageText } from '../../../src/wording/duration.ts';

const day = 86_400_000;

export function agoText(at: number, now: number): string {
  const ms = now - at;
  if (ms < 45_000) return 'just now';
  if (ms < 7 * day) return `${ageText(Math.max(ms, 60_000))} ago`;
  return new Date(at).toLocaleDateString(undefined, { month: 'short', day: 'numeric' });
}

/** "19 Nov 2026", in the person's own order. */
export function dateText(at: number): string {
  return new Date(at).toLocaleDateString(undefined, { year: 'numeric', month: 'short', day: 'numeric' });
}

export function momentText(at: number): string {
  return new Date(at).toLocaleString(undefined, {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
  });
}
