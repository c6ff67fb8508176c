import type { OfflineRequest } from './offline-request.ts';
import type { Plan, PlanEnd } from './plan.ts';

/** Something the offline model can do. A request that matches no skill isn't understood. */
export interface OfflineSkill {
  readonly name: string;
  /** A short phrase that follows "I can". */
  readonly does: string;
  /** Example sentences, also used to suggest the nearest skill. */
  readonly examples: readonly [string, ...string[]];
  /** Takes the whole sentence as text of a file or command, including what looks like another step. */
  readonly takesAll?: true;
  /** The plan for a request, or undefined if the skill doesn't match. */
  readonly plan: (request: OfflineRequest) => Plan<PlanEnd> | undefined;
}
