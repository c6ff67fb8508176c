/**
 * The session's owner died with work in flight, and this is its next one. Every effect that was
 * intended may have happened:
 *
 * 1. One declared safe is done again, under the same id and a new attempt.
 * 2. One that must not be repeated is settled as interrupted, in words the model can act on.
 * 3. One that a person must judge becomes a question; so does a model call cut off too often.
 * 4. Timers are armed again and open questions asked again.
 * 5. An external agent that waited for an answer is left alone until it has it.
 * 6. A restore of files is done again.
 * 7. Recoveries without progress are counted; too many end the turn, or give up the restore.
 */
import type { CallProgress } from './call.ts';
import { recoverRestore } from './decide-restore.ts';
import { emit, want, type Draft, type Refusal } from './draft.ts';
import { endTurn, hasEffectsInFlight } from './end-turn.ts';
import type { InputBody } from './input.ts';
import { openQuestion } from './open-question.ts';
import { repeatEffect } from './repeat-effect.ts';
import { settleAsKilled } from './settle-lost.ts';
import { turnOf, type Activity } from './state.ts';
import { reservationOf } from './turn-change.ts';

type Recovery = Pick<Extract<InputBody, { type: 'session-recovered' }>, 'epoch' | 'crashes'>;

export function decideRecovery(draft: Draft, { epoch, crashes }: Recovery): Refusal | undefined {
  const { waits, questions } = draft.state;
  recoverInFlight(draft, epoch, crashes);
  for (const wait of waits) {
    const { effect, until } = wait;
    if (draft.state.waits.includes(wait)) want(draft, { type: 'wait-until', effect, until });
  }
  for (const question of questions) {
    if (draft.state.questions.includes(question)) want(draft, { type: 'ask', question });
  }
  return undefined;
}

function recoverInFlight(draft: Draft, epoch: number, crashes: number | undefined): void {
  if (!hasEffectsInFlight(draft.state)) return;
  emit(draft, { type: 'session-recovered', epoch });
  const { phase, recoveries, limits } = draft.state;
  const given = crashes ?? (recoveries > limits.recoveries ? recoveries : undefined);
  if (phase.type === 'restoring') recoverRestore(draft, phase.restore, given);
  else if (phase.type === 'cancelling') settleAsKilled(draft);
  else if (given !== undefined) giveUp(draft, given);
  else if (phase.type === 'turn') recover(draft, phase.turn.activity);
}

function recover(draft: Draft, activity: Activity): void {
  switch (activity.type) {
    case 'calling-model':
    case 'compacting':
    case 'prompting-agent': {
      if (activity.type === 'prompting-agent' && activity.parked === true) return;
      const { effect, attempt } = activity;
      if (attempt <= draft.state.limits.modelRepeats) return repeatEffect(draft, effect, attempt + 1);
      return openQuestion(draft, {
        type: 'repeat',
        what: repeatedWords[activity.type],
        reason: `It was cut off ${attempt} times before it ended. Try again?`,
      });
    }
    case 'understanding': {
      const { effect, attempt, reserved } = activity;
      if (attempt <= draft.state.limits.modelRepeats) return repeatEffect(draft, effect, attempt + 1);
      const problem = `It was cut off ${attempt} times before it ended.`;
      emit(draft, {
        type: 'prompt-understood',
        effect,
        outcome: { type: 'unclear', problem, usage: reservationOf(reserved) },
      });
      return;
    }
    case 'running-calls':
      for (const progress of activity.calls) if (progress.type === 'running') recoverCall(draft, progress);
      return;
    default:
      return;
  }
}

const repeatedWords = {
  'calling-model': 'model call',
  compacting: 'summary',
  'prompting-agent': 'agent turn',
} as const;

function recoverCall(draft: Draft, { call, effect, attempt }: Extract<CallProgress, { type: 'running' }>): void {
  switch (call.facts.repeat) {
    case 'safe':
      return repeatEffect(draft, effect, attempt + 1);
    case 'never':
      emit(draft, { type: 'tool-settled', call: call.id, result: interruptedResult });
      return;
    case 'ask':
      return openQuestion(draft, {
        type: 'repeat',
        what: call.tool,
        call: call.id,
        reason: 'The process stopped while this ran. It may or may not have taken effect. Run it again?',
      });
  }
}

const interruptedResult = {
  type: 'error',
  code: 'interrupted',
  message:
    'The process stopped while this call was running. It may or may not have taken effect. Check before you do it again.',
} as const;

function giveUp(draft: Draft, recoveries: number): void {
  const message = `The process stopped ${recoveries} times in a row during this turn, so it was given up.`;
  const activity = turnOf(draft.state)?.activity;
  if (activity?.type === 'running-calls') {
    for (const progress of activity.calls) {
      if (progress.type !== 'running') continue;
      emit(draft, { type: 'tool-settled', call: progress.call.id, result: interruptedResult });
    }
  } else {
    settleAsKilled(draft);
  }
  const evidence = `${recoveries} recoveries in a row without progress.`;
  emit(draft, { type: 'verdict-reached', verdict: { verdict: 'crash-looping', evidence, action: 'stop' } });
  endTurn(draft, { type: 'failed', code: 'crash-loop', message });
}
