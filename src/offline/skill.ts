import type { Asked } from './asked.ts';
import type { Plan, Told } from './plan.ts';

/** Something the offline model can do. The list is closed: what no skill serves is not understood. */
export interface Skill {
  readonly name: string;
  /** What it does, in a few words that follow "I can". */
  readonly does: string;
  /** Sentences it serves; also what a request is compared with when nothing fits. */
  readonly examples: readonly [string, ...string[]];
  /** It takes the whole sentence, as the text of a file or command: what looks like a further step belongs to it. */
  readonly takesAll?: true;
  /** The plan for a request; undefined where the skill does not serve it. */
  readonly plan: (asked: Asked) => Plan<Told> | undefined;
}
