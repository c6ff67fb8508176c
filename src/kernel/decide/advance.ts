/** Decides everything that follows from the state alone. Called after every input until nothing is left to decide. */
import { armWait } from './arm-wait.ts';
import { budgetLeft, mostReplyTokens, nearedLimits } from '../budget.ts';
import { understandPrompt } from './decide-understood.ts';
import { contextSize } from '../context.ts';
import { decideCompaction, isCompactionDue, takeCompactionTurn } from './decide-compaction.ts';
import { emit, want, type Draft } from './draft.ts';
import { effectsInFlight, endTurn, finishTurn, limitEnding, stoppedLoop } from './end-turn.ts';
import { loopVerdict } from '../loop-watch.ts';
import { openQuestion } from './open-question.ts';
import type { Ending } from '../outcome.ts';
import { scheduleCalls } from './schedule-calls.ts';
import { turnOf, type Turn } from '../state.ts';
import { timeAfter } from '../time.ts';

export function advance(draft: Draft): void {
  while (advanceOnce(draft));
}

function advanceOnce(draft: Draft): boolean {
  const { phase } = draft.state;
  switch (phase.type) {
    case 'new':
    case 'restoring':
    case 'closed':
      return false;
    case 'idle':
      return startTurn(draft);
    case 'cancelling':
      if (effectsInFlight(phase.turn).length > 0) return false;
      finishTurn(draft, phase.ending);
      if (phase.thenClose) emit(draft, { type: 'session-closed', ...reasonOf(phase.ending) });
      return true;
    case 'turn':
      return advanceTurn(draft, phase.turn);
  }
}

function startTurn(draft: Draft): boolean {
  const { queue, limits } = draft.state;
  const [next] = queue.prompts;
  if (next === undefined || queue.paused) return false;
  emit(draft, { type: 'turn-started', prompt: next.seq });
  if (limits.wallTimeMs !== undefined) {
    armWait(draft, 'wall-time', timeAfter(draft.input.at, limits.wallTimeMs));
  }
  return true;
}

function advanceTurn(draft: Draft, turn: Turn): boolean {
  switch (turn.activity.type) {
    case 'ready':
      if (reachedLimit(draft, turn)) return true;
      if (turn.kind === 'task') endTurn(draft, taskEnding(turn));
      else if (turn.kind === 'compact') takeCompactionTurn(draft, turn);
      else if (turn.pauseDue)
        armWait(draft, 'error-pause', timeAfter(draft.input.at, draft.state.limits.errorPauseMs));
      else takeStep(draft, turn);
      return true;
    case 'replied':
      if (turn.activity.refused) {
        endTurn(draft, { type: 'failed', code: 'model-refused', message: 'The model refused to answer.' });
      } else if (joinSteering(draft)) {
        return true;
      } else if (draft.state.mode.replies === 'reviewed') {
        openQuestion(draft, { type: 'reply-review', reply: turn.activity.reply });
      } else {
        endTurn(draft, { type: 'completed' });
      }
      return true;
    case 'running-calls':
      return reachedLimit(draft, turn) || scheduleCalls(draft, turn.activity.calls);
    case 'prompting-agent':
      return reachedLimit(draft, turn) || spentBudget(draft);
    case 'calling-model':
    case 'understanding':
    case 'clarifying':
    case 'compacting':
    case 'reviewing-reply':
    case 'pausing':
    case 'asking-loop':
    case 'asking-repeat':
      return false;
  }
}

/** Warns the model, asks a person or ends the turn. */
function isStoppedLoop(draft: Draft, turn: Turn): boolean {
  const { limits, mode } = draft.state;
  const verdict = loopVerdict(turn.loop, limits);
  if (verdict === undefined) return false;
  const { action, evidence } = verdict;
  if (action === 'ask' && mode.asks === 'anyone') {
    openQuestion(draft, { type: 'repeat', what: 'same call', reason: `${evidence} Go on?` });
    return true;
  }
  const isStop = action === 'stop';
  if (!isStop && turn.loop?.warned === true) return false;
  const reached = { verdict: 'looping', evidence, action: isStop ? 'stop' : 'warn' } as const;
  emit(draft, { type: 'verdict-reached', verdict: reached });
  if (isStop) endTurn(draft, stoppedLoop(evidence));
  return isStop;
}

/** Adds steering prompts to the running turn, in order of arrival. */
function joinSteering(draft: Draft): boolean {
  const steering = draft.state.queue.prompts.filter(
    (prompt) => prompt.delivery === 'steer' && prompt.request.type === 'chat',
  );
  for (const prompt of steering) emit(draft, { type: 'prompt-joined', prompt: prompt.seq });
  return steering.length > 0;
}

function takeStep(draft: Draft, turn: Turn): void {
  const { limits, mode } = draft.state;
  if (mode.model === 'none') {
    const message = `Mode ${mode.name} has no model; send a task with a tool and its arguments.`;
    return endTurn(draft, { type: 'failed', code: 'tool-only', message });
  }
  if (turn.steps >= limits.steps) return endTurn(draft, limitEnding('steps', limits.steps));
  if (spentBudget(draft) || isStoppedLoop(draft, turn)) return;
  if (turn.understand !== undefined && understandPrompt(draft)) return;
  if (turn.clarify !== undefined && mode.asks === 'anyone') {
    return openQuestion(draft, { type: 'clarification', ...turn.clarify });
  }
  joinSteering(draft);
  if (turn.agent.runs === 'external') return promptAgent(draft);
  if (isCompactionDue(draft, turn)) return decideCompaction(draft, 'full', turn);
  callModel(draft);
}

function promptAgent(draft: Draft): void {
  noticeLimits(draft);
  const effect = emit(draft, { type: 'agent-turn-intended' });
  const activity = turnOf(draft.state)?.activity;
  const prompts = activity?.type === 'prompting-agent' ? activity.prompts : [];
  want(draft, { type: 'prompt-agent', effect, attempt: 1, prompts });
}

/** Reserves the most that the call may use. The output limit is sent with the request, so it holds. */
function callModel(draft: Draft): void {
  const { limits, context } = draft.state;
  const size = contextSize(context);
  let { maxOutputTokens } = limits;
  if (limits.tokens !== undefined) {
    const left = (budgetLeft(draft.state).tokens ?? 0) - size;
    if (left <= 0) return endTurn(draft, limitEnding('tokens', limits.tokens));
    maxOutputTokens = Math.min(left, maxOutputTokens ?? mostReplyTokens);
  }
  noticeLimits(draft);
  if (maxOutputTokens === undefined) {
    const effect = emit(draft, { type: 'model-call-intended', reserved: size });
    return want(draft, { type: 'call-model', effect, attempt: 1 });
  }
  const effect = emit(draft, { type: 'model-call-intended', reserved: size + maxOutputTokens, maxOutputTokens });
  want(draft, { type: 'call-model', effect, attempt: 1, maxOutputTokens });
}

/** Sent just before the call, which can still act on it. */
function noticeLimits(draft: Draft): void {
  for (const neared of nearedLimits(draft.state)) emit(draft, { type: 'limit-neared', ...neared });
}

/** Tokens and money count for the whole session and its children; for an external agent, as far as it reports them. */
function spentBudget(draft: Draft): boolean {
  const { limits } = draft.state;
  if (limits.cost === undefined && limits.tokens === undefined) return false;
  const left = budgetLeft(draft.state);
  if (limits.cost !== undefined && (left.cost ?? 0) <= 0) endTurn(draft, limitEnding('cost', limits.cost));
  else if (limits.tokens !== undefined && (left.tokens ?? 0) <= 0) {
    endTurn(draft, limitEnding('tokens', limits.tokens));
  } else return false;
  return true;
}

function reachedLimit(draft: Draft, turn: Turn): boolean {
  const { limits } = draft.state;
  if (turn.rejections >= limits.rejections) endTurn(draft, limitEnding('rejections', limits.rejections));
  else if (turn.denials >= limits.denials) endTurn(draft, limitEnding('denials', limits.denials));
  else if (turn.errorsInRow >= limits.errorsInRow) {
    endTurn(draft, {
      type: 'failed',
      code: 'errors-in-row',
      message: `${limits.errorsInRow} errors in a row. Fix the cause and prompt again.`,
    });
  } else return false;
  return true;
}

function taskEnding(turn: Turn): Ending {
  if (turn.failedCalls === 0) return { type: 'completed' };
  const isRefused = turn.failedCalls === turn.denials + turn.rejections;
  return {
    type: 'failed',
    code: isRefused ? 'task-refused' : 'task-failed',
    message: `${turn.failedCalls} of the task's calls did not succeed.`,
  };
}

function reasonOf(ending: Ending): { readonly reason?: string } {
  return ending.type === 'cancelled' && ending.reason !== undefined ? { reason: ending.reason } : {};
}
