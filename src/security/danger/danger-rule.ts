import type { Segment } from '../shell/segment.ts';

/** A known dangerous form. `deny` is refused whatever the rules allow; `ask` needs the user's approval. */
export type Danger = {
  readonly rule: string;
  readonly severity: 'deny' | 'ask';
  /** Index into the segments. Absent if the command couldn't be parsed. */
  readonly segment?: number;
  readonly reason: string;
};

export type DangerRule = {
  readonly id: string;
  readonly severity: 'deny' | 'ask';
  readonly reason: string | ((segment: Segment) => string);
  readonly matches: (segment: Segment, index: number, all: readonly Segment[]) => boolean;
};
