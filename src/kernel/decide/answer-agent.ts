/** Answers to an external agent's requests: recorded first, then delivered if the agent still waits. */
import type { AgentAnswer } from '../agent-request.ts';
import { chosenOption, type PermissionOption } from '../agent-request.ts';
import { emit, want, type Draft } from './draft.ts';
import type { RefusalCode } from '../event.ts';
import type { Answer, QuestionSubject } from '../question.ts';
import { promptedAgent } from '../evolve/prompted-agent.ts';
import { optional } from '../optional.ts';
import { repeatEffect } from './repeat-effect.ts';

interface AgentReply {
  readonly answer: AgentAnswer;
  /** Absent if the agent may proceed. */
  readonly refused?: RefusalCode;
  readonly rule?: string;
  readonly reason?: string;
}

/** If no process is waiting, the answer is kept for the next one that asks. */
export function answerAgent(draft: Draft, key: string, reply: AgentReply): void {
  const request = promptedAgent(draft.state)?.requests?.find((progress) => progress.key === key);
  const isHeard = request?.type !== 'asking' || request.lost !== true;
  emit(draft, { type: 'agent-answered', key, ...reply });
  if (isHeard) return tellAgent(draft, key, reply.answer);
  const agent = promptedAgent(draft.state);
  if (agent?.parked === true) repeatEffect(draft, agent.effect, agent.attempt + 1);
}

export function tellAgent(draft: Draft, key: string, answer: AgentAnswer): void {
  const agent = promptedAgent(draft.state);
  if (agent === undefined) return;
  const { effect, attempt } = agent;
  want(draft, { type: 'answer-agent', effect, attempt, key, answer });
}

/** A person's answer to an agent's question. */
export function answerAgentQuestion(draft: Draft, about: QuestionSubject, answer: Answer): void {
  const key = requestOf(about);
  if (key === undefined) return;
  const options = about.type === 'approval' ? (about.options ?? []) : [];
  const isDone = about.type === 'form' && answer.type === 'allow-once';
  const agentAnswer: AgentAnswer = isDone ? { type: 'form', form: {} } : agentAnswerOf(options, answer);
  const reason = answer.type === 'reject' ? answer.reason : undefined;
  answerAgent(draft, key, {
    answer: agentAnswer,
    ...(isRefusal(agentAnswer, options) && { refused: 'person' }),
    ...optional({ reason }),
  });
}

export function expireAgentQuestion(draft: Draft, about: QuestionSubject, reason: string): void {
  const key = requestOf(about);
  if (key === undefined) return;
  const answer: AgentAnswer =
    about.type === 'approval' ? chosenOption(about.options ?? [], 'reject') : { type: 'declined' };
  answerAgent(draft, key, { answer, refused: 'expired', reason });
}

/** The turn is ending: cancels the agent's open requests before it stops. */
export function cancelRequests(draft: Draft): void {
  for (const request of promptedAgent(draft.state)?.requests ?? []) {
    if (request.type !== 'asking') continue;
    emit(draft, { type: 'question-closed', question: request.question, reason: 'cancelled' });
    if (request.lost === true) continue;
    answerAgent(draft, request.key, { answer: { type: 'cancelled' }, refused: 'interrupted' });
  }
}

/** The key of the agent's request behind a question. */
export function requestOf(about: QuestionSubject): string | undefined {
  return about.type === 'approval' || about.type === 'form' ? about.request : undefined;
}

function isRefusal(answer: AgentAnswer, options: readonly PermissionOption[]): boolean {
  if (answer.type !== 'option') return answer.type !== 'form';
  return options.find(({ id }) => id === answer.option)?.kind.startsWith('reject') === true;
}

/** Translates a person's answer into the agent's terms. */
function agentAnswerOf(options: readonly PermissionOption[], answer: Answer): AgentAnswer {
  switch (answer.type) {
    case 'allow-once':
    case 'allow-session':
    case 'allow-always':
      return chosenOption(options, 'allow');
    case 'option':
      return { type: 'option', option: answer.option };
    case 'form':
      return { type: 'form', form: answer.form };
    // Never fits an external agent's request.
    case 'allow-edited':
    case 'text':
    case 'reject':
      return options.length === 0 ? { type: 'declined' } : chosenOption(options, 'reject');
  }
}
