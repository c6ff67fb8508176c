import type { Segment } from '../shell/segment.ts';

/** A known bad form. `deny` is refused whatever the rules allow; `ask` needs a person. */
export type Danger = {
  readonly rule: string;
  readonly severity: 'deny' | 'ask';
  /** Index into the segments; absent when the command could not be read at all. */
  readonly segment?: number;
  readonly reason: string;
};

export type DangerRule = {
  readonly id: string;
  readonly severity: 'deny' | 'ask';
  readonly reason: string | ((segment: Segment) => string);
  readonly matches: (segment: Segment, index: number, all: readonly Segment[]) => boolean;
};
