/**
 * Restores files to a checkpoint, between turns.
 *
 * 1. First the intent, then a checkpoint of the current files, and only then the change.
 * 2. After the restore, the conversation rewinds in the same transition, if requested.
 * 3. A failure is an event and leaves the conversation where it is.
 * 4. An interrupted restore runs again with the same `before`. Restoring is idempotent.
 */
import type { Restore } from '../checkpoint.ts';
import { pointProblem, restProblem, emitRewind } from './decide-rewind.ts';
import { emit, want, type Draft, type Refusal } from './draft.ts';
import type { Input } from '../input.ts';
import { optional } from '../optional.ts';

type InputOf<Type extends Input['type']> = Extract<Input, { type: Type }>;

export function decideRestore(draft: Draft, input: InputOf<'restore-requested'>): Refusal | undefined {
  const { to, checkpoint, rewind: goal } = input;
  const refusal =
    restProblem(draft) ??
    pointProblem(draft, to) ??
    (goal === undefined ? undefined : pointProblem(draft, goal.to));
  if (refusal !== undefined) return refusal;
  emit(draft, { type: 'restore-intended', to, checkpoint, ...optional({ rewind: goal }) });
  carryOn(draft);
  return undefined;
}

export function decideRestorePrepared(draft: Draft, input: InputOf<'restore-prepared'>): Refusal | undefined {
  const restore = restoreOf(draft, input);
  if (restore === undefined || restore.before !== undefined) return undefined;
  emit(draft, { type: 'checkpoint-taken', checkpoint: input.before, effect: input.effect });
  carryOn(draft);
  return undefined;
}

export function decideRestoreSettled(draft: Draft, input: InputOf<'restore-settled'>): Refusal | undefined {
  const restore = restoreOf(draft, input);
  if (restore === undefined) return undefined;
  const { to, checkpoint, before, rewind: goal } = restore;
  const { outcome } = input;
  if (outcome.type === 'failed') {
    emit(draft, { type: 'restore-failed', to, message: outcome.message });
    return undefined;
  }
  // Nothing was restored before `before` existed.
  if (before === undefined) return undefined;
  emit(draft, { type: 'files-restored', to, checkpoint, before, changed: outcome.changed });
  if (goal !== undefined) emitRewind(draft, goal);
  return undefined;
}

/** Its owner died. `crashes`: too often to try again. */
export function recoverRestore(draft: Draft, { effect, attempt, to }: Restore, crashes: number | undefined): void {
  if (crashes === undefined) {
    emit(draft, { type: 'effect-repeated', effect, attempt: attempt + 1 });
    return carryOn(draft);
  }
  const message = `The process stopped ${crashes} times in a row while it restored files, so that was given up; some may be restored and others not.`;
  emit(draft, { type: 'restore-failed', to, message });
}

function carryOn(draft: Draft): void {
  const { phase } = draft.state;
  if (phase.type !== 'restoring') return;
  const { effect, attempt, checkpoint, before } = phase.restore;
  want(draft, {
    type: 'restore-files',
    effect,
    attempt,
    checkpoint,
    ...optional({ before }),
  });
}

/** An input for another effect or attempt is late. */
function restoreOf(
  { state: { phase } }: Draft,
  { effect, attempt }: Pick<Restore, 'effect' | 'attempt'>,
): Restore | undefined {
  if (phase.type !== 'restoring') return undefined;
  return phase.restore.effect === effect && phase.restore.attempt === attempt ? phase.restore : undefined;
}
