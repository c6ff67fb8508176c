import { emit, want, type Draft } from './draft.ts';
import type { WaitReason } from '../event.ts';
import type { Time } from '../time.ts';

/** Schedules a wake-up. The journal records the wait, so that a restart arms it again. */
export function armWait(draft: Draft, why: WaitReason, until: Time): void {
  const { at, bootTime } = draft.input;
  // Only a turn's time is a duration that outlasts a process. People and providers name other times of day.
  const due =
    why === 'wall-time' && bootTime !== undefined
      ? { due: { boot: bootTime.boot, uptime: bootTime.uptime + until - at } }
      : undefined;
  const effect = emit(draft, { type: 'wait-intended', why, until, ...due });
  want(draft, { type: 'wait-until', effect, until, ...due });
}
