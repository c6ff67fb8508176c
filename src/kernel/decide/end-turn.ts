/**
 * The only way a turn ends: refuse what hasn't started, close open questions, cancel and await what is in flight.
 * Cancel wins over a late result.
 */

import { cancelRequests } from './answer-agent.ts';
import { armWait } from './arm-wait.ts';
import { emit, want, type Draft } from './draft.ts';
import type { RefusalCode } from '../event.ts';
import type { EffectId } from '../ids.ts';
import type { Ending, LimitName } from '../outcome.ts';
import { turnOf, type State, type Turn } from '../state.ts';
import { timeAfter } from '../time.ts';

export function endTurn(draft: Draft, ending: Ending, options: { readonly thenClose?: boolean } = {}): void {
  const turn = turnOf(draft.state);
  if (turn === undefined || draft.state.phase.type === 'cancelling') return;
  cancelRequests(draft);
  for (const question of draft.state.questions) {
    emit(draft, { type: 'question-closed', question: question.id, reason: 'cancelled' });
  }
  settleCutOff(draft);
  refuseWaiting(draft, ending);
  const inFlight = effectsInFlight(turnOf(draft.state) ?? turn);
  if (inFlight.length === 0) return finishTurn(draft, ending);

  emit(draft, { type: 'turn-interrupted', ending, ...(options.thenClose === true && { thenClose: true }) });
  const { cancelGraceMs } = draft.state.limits;
  for (const effect of inFlight) want(draft, { type: 'cancel', effect, graceMs: cancelGraceMs });
  // The runtime kills what is left after the grace period. The turn waits a little longer, so that the kill can be
  // reported.
  armWait(draft, 'cancel-grace', timeAfter(draft.input.at, cancelGraceMs + killReportMs));
}

/** Ends a turn with nothing in flight and disarms its timers. */
export function finishTurn(draft: Draft, ending: Ending): void {
  const { waits } = draft.state;
  emit(draft, { type: 'turn-ended', ending });
  for (const wait of waits) want(draft, { type: 'cancel', effect: wait.effect, graceMs: 0 });
}

const killReportMs = 1000;

export function limitEnding(name: LimitName, limit: number): Ending {
  return { type: 'failed', code: `limit-${name}`, message: `The turn reached its limit: ${name} ${limit}.` };
}

/** The turn looped; `why` says why it was stopped. */
export function stoppedLoop(why: string): Ending {
  return { type: 'failed', code: 'looping', message: `The turn was stopped as looping: ${why}` };
}

export function effectsInFlight({ activity }: Turn): readonly EffectId[] {
  switch (activity.type) {
    case 'calling-model':
    case 'understanding':
    case 'compacting':
      return [activity.effect];
    case 'prompting-agent':
      return activity.parked === true ? [] : [activity.effect];
    case 'running-calls':
      return activity.calls.filter((progress) => progress.type === 'running').map((progress) => progress.effect);
    case 'ready':
    case 'replied':
    case 'reviewing-reply':
    case 'clarifying':
    case 'pausing':
    case 'asking-loop':
    case 'asking-repeat':
      return [];
  }
}

/** Of the turn, or of work between turns. */
export function effectsOf(state: State): readonly EffectId[] {
  if (state.phase.type === 'restoring') return [state.phase.restore.effect];
  const turn = turnOf(state);
  return turn === undefined ? [] : effectsInFlight(turn);
}

export function hasEffectsInFlight(state: State): boolean {
  return effectsOf(state).length > 0;
}

/** An interrupted call that isn't repeated has ended too. Its reservation was charged when it was lost. */
function settleCutOff(draft: Draft): void {
  const activity = turnOf(draft.state)?.activity;
  const cutOff = { type: 'cancelled', reason: 'cut off' } as const;
  if (activity?.type === 'prompting-agent' && activity.parked === true) {
    emit(draft, { type: 'agent-turn-settled', ending: cutOff });
  }
  if (activity?.type !== 'asking-repeat') return;
  const { type, effect } = activity.of;
  switch (type) {
    case 'calling-model':
      emit(draft, { type: 'model-settled', effect, outcome: cutOff });
      return;
    case 'compacting':
      emit(draft, { type: 'compaction-settled', effect, outcome: cutOff });
      return;
    case 'prompting-agent':
      emit(draft, { type: 'agent-turn-settled', ending: cutOff });
      return;
  }
}

function refuseWaiting(draft: Draft, ending: Ending): void {
  const activity = turnOf(draft.state)?.activity;
  if (activity?.type !== 'running-calls') return;
  const isLimit = ending.type === 'failed' && ending.code.startsWith('limit-');
  const code: RefusalCode = isLimit ? 'limit' : 'interrupted';
  for (const progress of activity.calls) {
    if (progress.type === 'settled' || progress.type === 'running') continue;
    if (progress.type === 'unsure') {
      emit(draft, {
        type: 'tool-settled',
        call: progress.call.id,
        result: {
          type: 'error',
          code: 'interrupted',
          message: 'This call was cut off and may or may not have taken effect.',
        },
      });
    } else {
      emit(draft, {
        type: 'call-refused',
        call: progress.call.id,
        code,
        reason: 'The turn ended before this call was started.',
      });
    }
  }
}
