/** A turn's time as bars. Concurrent work gets a separate line. */
import type { Timeline } from '../../../src/views/usage.ts';
import type { TimeSpan } from '../../../src/views/usage-view.ts';

export interface Stripe {
  readonly kind: TimeSpan['type'];
  readonly label: string;
  readonly line: number;
  /** Fraction of the turn's length, from 0 to 1. */
  readonly from: number;
  readonly width: number;
  readonly ms: number;
  readonly isOpen: boolean;
}

export interface TurnChart {
  readonly stripes: readonly Stripe[];
  readonly lines: number;
  readonly ms: number;
}

export function turnChart({ startedAt, ended, spans }: Timeline, now: number): TurnChart {
  const end = Math.max(startedAt + 1, ended?.at ?? now, ...spans.map(({ to }) => to ?? 0));
  const ms = end - startedAt;
  const freeFrom: number[] = [];
  const stripes = spans.map((span) => {
    const to = span.to ?? end;
    const free = freeFrom.findIndex((time) => time <= span.from);
    const line = free === -1 ? freeFrom.length : free;
    freeFrom[line] = to;
    return {
      kind: span.type,
      label: labelOf(span),
      line,
      from: (span.from - startedAt) / ms,
      width: Math.max(0, to - span.from) / ms,
      ms: Math.max(0, to - span.from),
      isOpen: span.to === undefined,
    };
  });
  return { stripes, lines: Math.max(1, freeFrom.length), ms };
}

function labelOf(span: TimeSpan): string {
  switch (span.type) {
    case 'model':
      return span.model;
    case 'agent':
      return span.agent;
    case 'tool':
      return span.tool;
    case 'person':
      return `waiting for you (${span.about})`;
    case 'pause':
      return span.why === 'provider-reset' ? 'waiting for the provider' : 'pausing after an error';
    default:
      return 'working';
  }
}
