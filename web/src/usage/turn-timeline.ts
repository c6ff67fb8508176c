/** A turn's time as lanes: one for each model, tool and kind of waiting, in the order they began. */
import type { Timeline } from '../../../src/views/usage-report.ts';
import type { TimeSpan } from '../../../src/views/usage-view.ts';

interface Lane {
  readonly kind: TimeSpan['type'];
  readonly label: string;
  readonly ms: number;
  readonly stripes: readonly Stripe[];
}

interface Stripe {
  /** Fractions of the turn's length, from 0 to 1. */
  readonly from: number;
  readonly width: number;
  readonly ms: number;
}

interface TurnChart {
  readonly lanes: readonly Lane[];
  readonly ms: number;
}

export function turnChart({ startedAt, ended, spans }: Timeline, now: number): TurnChart {
  const end = Math.max(startedAt + 1, ended?.at ?? now, ...spans.map(({ to }) => to ?? 0));
  const whole = end - startedAt;
  const lanes = [...Map.groupBy(spans, labelOf)].map(([label, own]) => {
    const stripes = own.map(({ from, to = end }) => ({
      from: (from - startedAt) / whole,
      width: Math.max(0, to - from) / whole,
      ms: Math.max(0, to - from),
    }));
    return {
      kind: own[0]?.type ?? 'tool',
      label,
      ms: stripes.reduce((sum, { ms }) => sum + ms, 0),
      stripes,
    };
  });
  return { lanes, ms: whole };
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
      return 'Waiting for you';
    case 'pause':
      return span.why === 'provider-reset' ? 'Waiting for the provider' : 'Pause after an error';
    default:
      return 'Working';
  }
}
