import type { Table } from './markdown.ts';
import type { Plot } from './plot.ts';

/** What one item of the benchmark has to say. */
export interface Section {
  readonly title: string;
  /** The work that was measured, and how it was checked to have been done. */
  readonly work: string;
  readonly tables: readonly Table[];
  /** Written beside the report, which shows them. */
  readonly plots?: readonly Plot[];
  readonly figures: readonly Figure[];
  /** How long the measured processes waited for a core: see contention.ts. */
  readonly waitedShare: number;
  /** What was skipped or went wrong. */
  readonly remarks: readonly string[];
}

/** One figure of the design with its goal. Stated, never asserted: timings depend on the machine. */
export interface Figure {
  readonly name: string;
  /** Amounts hold on any machine; times only on one that is not busy. */
  readonly of: 'time' | 'amount';
  readonly goal: string;
  readonly measured: number;
  readonly unit: string;
  readonly isReached: boolean;
}

type Kind = Pick<Figure, 'of'> & Partial<Pick<Figure, 'unit'>>;

export function atMost(name: string, measured: number, most: number, { of, unit = '' }: Kind): Figure {
  return { name, of, goal: `≤ ${most}${spaced(unit)}`, measured, unit, isReached: measured <= most };
}

export function atLeast(name: string, measured: number, least: number, { of, unit = '' }: Kind): Figure {
  return { name, of, goal: `≥ ${least}${spaced(unit)}`, measured, unit, isReached: measured >= least };
}

export function spaced(unit: string): string {
  return unit === '' ? '' : ` ${unit}`;
}
