import type { Table } from './markdown.ts';
import type { Plot } from './plot.ts';

/** The result of one item of the benchmark. */
export interface Section {
  readonly title: string;
  /** The measured work, and how it was checked. */
  readonly work: string;
  readonly tables: readonly Table[];
  /** Written beside the report, which embeds them. */
  readonly plots?: readonly Plot[];
  readonly figures: readonly Figure[];
  /** How long the measured processes waited for a core: see contention.ts. */
  readonly waitedShare: number;
  /** Skipped work and errors. */
  readonly remarks: readonly string[];
}

/** One figure of the design with its goal. Reported, never asserted: timings depend on the machine. */
export interface Figure {
  readonly name: string;
  /** Amounts are valid on any machine; times only on an idle one. */
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
