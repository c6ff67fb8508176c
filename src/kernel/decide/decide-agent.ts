/**
 * An external agent's turn: its reports, requests and ending. Inputs for another effect or attempt are late and
 * ignored.
 *
 * 1. A request passes the same gate as our own calls. Allowed and denied requests are answered at once, with the
 *    rule on record; the others become questions.
 * 2. A repeated request is asked once. The answer for a process that is gone is kept, given to the first one that
 *    asks the same, and then used up.
 * 3. Each reported call counts once towards the limits on tool calls. Exceeding one ends the turn.
 * 4. A restarted agent that asks something else withdraws its earlier requests.
 */
import {
  agentRequestsKept,
  chosenOption,
  type AgentRequest,
  type AgentRequestProgress,
} from '../agent-request.ts';
import { answerAgent, tellAgent } from './answer-agent.ts';
import { reachedToolLimit } from '../budget.ts';
import { emit, type Draft, type Refusal } from './draft.ts';
import { endTurn, limitEnding } from './end-turn.ts';
import type { AgentOutcome, Input } from '../input.ts';
import { optional } from '../optional.ts';
import { judgeNow } from './judge-now.ts';
import { openQuestion } from './open-question.ts';
import type { Ending } from '../outcome.ts';
import { approvalFacts, type Judgement } from '../policy/permission.ts';
import { repeatEffect } from './repeat-effect.ts';
import { turnOf, type PromptingAgent } from '../state.ts';

type InputOf<Type extends Input['type']> = Extract<Input, { type: Type }>;
type AgentInput = InputOf<'agent-reported' | 'agent-asked' | 'agent-withdrew' | 'agent-turn-settled'>;

export function decideAgentReport(draft: Draft, input: InputOf<'agent-reported'>): Refusal | undefined {
  const agent = agentOf(draft, input);
  if (agent === undefined) return undefined;
  const { report } = input;
  const isCall = report.type === 'tool-call' && agent.calls?.includes(report.call) !== true;
  const limit = isCall ? reachedToolLimit(draft.state) : undefined;
  const counts = isCall && limit === undefined && { counts: true as const };
  emit(draft, { type: 'agent-reported', report: { ...report, ...counts } });
  if (limit !== undefined && draft.state.phase.type === 'turn') endTurn(draft, limitEnding('tool-calls', limit));
  return undefined;
}

export function decideAgentAsked(draft: Draft, input: InputOf<'agent-asked'>): Refusal | undefined {
  const { request } = input;
  const agent = agentOf(draft, input);
  if (agent === undefined) return undefined;
  const progress = agent.requests?.find(({ key }) => key === request.key);
  if (progress?.type === 'asking' && progress.lost !== true) return undefined;
  if (progress !== undefined) emit(draft, { type: 'agent-asked-again', key: request.key });
  else {
    supersede(draft, agent);
    emit(draft, { type: 'agent-asked', request });
  }
  answerOrAsk(draft, request, progress);
  return undefined;
}

export function decideAgentWithdrew(draft: Draft, input: InputOf<'agent-withdrew'>): Refusal | undefined {
  const request = agentOf(draft, input)?.requests?.find(({ key }) => key === input.key);
  if (request?.type === 'asking') {
    emit(draft, { type: 'question-closed', question: request.question, reason: 'cancelled' });
  }
  return undefined;
}

export function decideAgentSettled(draft: Draft, input: InputOf<'agent-turn-settled'>): Refusal | undefined {
  const agent = agentOf(draft, input);
  if (agent === undefined) return undefined;
  const { outcome } = input;
  if (mayTakeUp(draft, outcome, agent.attempt)) {
    emit(draft, { type: 'agent-reported', report: { type: 'notice', severity: 'error', text: outcome.message } });
    repeatEffect(draft, agent.effect, agent.attempt + 1);
    return undefined;
  }
  for (const request of agent.requests ?? []) {
    if (request.type !== 'asking') continue;
    emit(draft, { type: 'question-closed', question: request.question, reason: 'cancelled' });
  }
  const usage = outcome.type === 'completed' ? outcome.usage : undefined;
  const ending = endingOf(draft, outcome);
  emit(draft, { type: 'agent-turn-settled', ending, ...optional({ usage }) });
  if (draft.state.phase.type === 'turn' && ending.type !== 'completed') endTurn(draft, ending);
  return undefined;
}

function agentOf(draft: Draft, { effect, attempt }: AgentInput): PromptingAgent | undefined {
  const activity = turnOf(draft.state)?.activity;
  if (activity?.type !== 'prompting-agent') return undefined;
  return activity.effect === effect && activity.attempt === attempt ? activity : undefined;
}

function answerOrAsk(draft: Draft, request: AgentRequest, progress: AgentRequestProgress | undefined): void {
  const { key } = request;
  const { state } = draft;
  if (state.phase.type === 'cancelling') {
    return answerAgent(draft, key, { answer: { type: 'cancelled' }, refused: 'interrupted' });
  }
  const judged = request.type === 'permission' ? judgeNow(draft, request.call) : undefined;
  // Rules may have changed since the first request; a denial still applies.
  if (request.type === 'permission' && judged?.verdict === 'deny') {
    if (progress?.type === 'asking') {
      emit(draft, { type: 'question-closed', question: progress.question, reason: 'superseded' });
    }
    const { rule, reason } = judged;
    return answerAgent(draft, key, {
      answer: chosenOption(request.options, 'reject'),
      refused: 'policy',
      rule,
      reason,
    });
  }
  if (progress?.type === 'answered') return tellAgent(draft, key, progress.answer);
  if (progress !== undefined) return;
  if (request.type === 'permission' && judged?.verdict === 'allow') {
    return answerAgent(draft, key, { answer: chosenOption(request.options, 'allow'), rule: judged.rule });
  }
  if (request.type === 'form' && state.mode.asks === 'nobody') {
    const reason = 'Nobody can be asked in this mode.';
    return answerAgent(draft, key, { answer: { type: 'declined' }, refused: 'policy', rule: 'default', reason });
  }
  const open = turnOf(state)?.activity;
  if (open?.type === 'prompting-agent' && (open.requests?.length ?? 0) > agentRequestsKept) {
    const reason = `The agent has ${agentRequestsKept} requests open already.`;
    return answerAgent(draft, key, { answer: { type: 'cancelled' }, refused: 'limit', reason });
  }
  ask(draft, request, judged);
}

function ask(draft: Draft, request: AgentRequest, judged: Judgement | undefined): void {
  if (request.type === 'form') {
    const { key, message, schema, url } = request;
    const at = url === undefined ? {} : { url };
    return openQuestion(draft, { type: 'form', title: message, schema, ...at, request: key });
  }
  const { key, call, title, options } = request;
  openQuestion(draft, {
    type: 'approval',
    call: call.id,
    ...approvalFacts(call, judged),
    request: key,
    ...optional({ title }),
    options,
  });
}

/** A new request replaces the oldest lost one. */
function supersede(draft: Draft, { requests }: PromptingAgent): void {
  for (const request of requests ?? []) {
    if (request.type !== 'asking' || request.lost !== true) continue;
    emit(draft, { type: 'question-closed', question: request.question, reason: 'superseded' });
    return;
  }
}

/** Whether to restart a lost agent process. The same limit applies as for interrupted calls. */
function mayTakeUp(
  { state }: Draft,
  outcome: AgentOutcome,
  attempt: number,
): outcome is Extract<AgentOutcome, { type: 'failed' }> {
  if (outcome.type !== 'failed' || outcome.retryable !== true) return false;
  return state.phase.type === 'turn' && attempt <= state.limits.modelRepeats;
}

function endingOf({ state }: Draft, outcome: AgentOutcome): Ending {
  if (state.phase.type === 'cancelling') return { type: 'cancelled' };
  switch (outcome.type) {
    case 'completed':
      return { type: 'completed' };
    case 'failed':
      return { type: 'failed', code: outcome.code, message: outcome.message };
    case 'cancelled':
    case 'timed-out':
      return outcome;
  }
}
