/**
 * A new owner takes over after the previous one died with work in flight. Every intended effect may have happened.
 * Rondo doesn't trust the journal's facts about a call: it describes and judges the call again by today's rules.
 *
 * 1. A call that is safe to repeat and allowed today runs again, with the same id and a new attempt.
 * 2. A call that must not be repeated, or that would ask today, is settled as interrupted, in words the model can
 *    act on. So is an approved call that never started.
 * 3. A call that a person must judge becomes a question. So does a model call that was interrupted too often.
 * 4. Timers are armed again, and open questions are asked again.
 * 5. An external agent that waited for an answer stays stopped until it has one.
 * 6. A file restore runs again.
 * 7. Recoveries without progress are counted. Too many end the turn or give up the restore.
 */
import { interruptedResult, type Call, type CallFacts, type CallProgress, type DescribedCall } from '../call.ts';
import { recoverRestore } from './decide-restore.ts';
import { closeToolQuestions } from './decide-tool-asked.ts';
import { emit, want, type Draft, type Refusal } from './draft.ts';
import { endTurn, hasEffectsInFlight } from './end-turn.ts';
import type { Input } from '../input.ts';
import { judgeNow } from './judge-now.ts';
import { openQuestion } from './open-question.ts';
import { isSameRules, renewRules } from '../policy/renew-rules.ts';
import { repeatEffect } from './repeat-effect.ts';
import { settleAsKilled } from './settle-lost.ts';
import { turnOf, type Activity } from '../state.ts';
import { reservationOf } from '../evolve/turn-change.ts';

type Recovered = Extract<Input, { type: 'session-recovered' }>;

export function decideRecovery(draft: Draft, input: Recovered): Refusal | undefined {
  const { waits, questions } = draft.state;
  describeAgain(draft, input);
  recoverInFlight(draft, input.epoch, input.crashes);
  for (const wait of waits) {
    const { why: _, ...rest } = wait;
    if (draft.state.waits.includes(wait)) want(draft, { type: 'wait-until', ...rest });
  }
  for (const question of questions) {
    if (draft.state.questions.includes(question)) want(draft, { type: 'ask', question });
  }
  return undefined;
}

/** Recorded if it differs from the journal, so that later judgements use it. */
function describeAgain(draft: Draft, { calls = [], rules }: Recovered): void {
  const activity = turnOf(draft.state)?.activity;
  if (activity?.type !== 'running-calls') return;
  const renewed = rules === undefined ? draft.state.rules : renewRules(draft.state.rules, rules);
  if (!isSameRules(renewed, draft.state.rules)) emit(draft, { type: 'policy-changed', rules: renewed });
  const today = new Map(calls.map(({ call, facts }) => [call, facts]));
  const changed = activity.calls.flatMap((progress): readonly DescribedCall[] => {
    if (progress.type === 'settled') return [];
    const { id } = progress.call;
    const facts = today.get(id) ?? undescribed;
    return isSameFacts(facts, progress.call.facts) ? [] : [{ call: id, facts }];
  });
  if (changed.length > 0) emit(draft, { type: 'calls-described', calls: changed });
}

const undescribed: CallFacts = {
  access: 'execute',
  repeat: 'never',
  order: 'exclusive',
  runs: 'tool',
  problem: { code: 'undescribed', message: "Rondo couldn't determine what this call does after a restart." },
};

function isSameFacts(one: CallFacts, other: CallFacts): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
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
      for (const progress of activity.calls) {
        if (progress.type === 'running') recoverCall(draft, progress);
        else if (progress.type === 'granted') recoverGranted(draft, progress.call);
      }
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
  closeToolQuestions(draft, call.id);
  const isAllowed = judgeNow(draft, call).verdict === 'allow';
  switch (isAllowed ? call.facts.repeat : 'never') {
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

/** The approval was for a call in the dead process. It doesn't cover another start. */
function recoverGranted(draft: Draft, call: Call): void {
  if (judgeNow(draft, call).verdict === 'allow') return;
  emit(draft, {
    type: 'call-refused',
    call: call.id,
    code: 'interrupted',
    reason: 'The process stopped before this approved call started. Request it again if it is still needed.',
  });
}

function giveUp(draft: Draft, recoveries: number): void {
  const message = `The process stopped ${recoveries} times in a row during this turn, so it was given up.`;
  const activity = turnOf(draft.state)?.activity;
  if (activity?.type === 'running-calls') {
    for (const progress of activity.calls) {
      if (progress.type !== 'running') continue;
      closeToolQuestions(draft, progress.call.id);
      emit(draft, { type: 'tool-settled', call: progress.call.id, result: interruptedResult });
    }
  } else {
    settleAsKilled(draft);
  }
  const evidence = `${recoveries} recoveries in a row without progress.`;
  emit(draft, { type: 'verdict-reached', verdict: { verdict: 'crash-looping', evidence, action: 'stop' } });
  endTurn(draft, { type: 'failed', code: 'crash-loop', message });
}
