import { emit, want, type Draft } from './draft.ts';
import type { WaitReason } from '../event.ts';
import type { Time } from '../time.ts';

/** Schedules a wake-up. The journal records the wait, so that a restart arms it again. */
export function armWait(draft: Draft, why: WaitReason, until: Time): void {
  const effect = emit(draft, { type: 'wait-intended', why, until });
  want(draft, { type: 'wait-until', effect, until });
}
