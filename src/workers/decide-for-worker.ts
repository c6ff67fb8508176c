/**
 * `decide`: the parent's agent answers its worker's request for approval. It never grants more than it may do
 * itself without asking: if its own policy would ask, a person decides.
 */
import type { QuestionId } from '../kernel/ids.ts';
import { fieldsOf } from '../kernel/json-object.ts';
import { optional } from '../kernel/optional.ts';
import { judge } from '../kernel/policy/permission.ts';
import { turnOf, type State } from '../kernel/state.ts';
import type { Escalated, Escalations } from './escalations.ts';
import type { WorkerParts } from './worker-parts.ts';

interface WorkerDecision {
  readonly question: QuestionId;
  readonly decision: 'allow' | 'reject';
  readonly reason?: string;
}

export const decideParameters: Readonly<Record<string, unknown>> = {
  type: 'object',
  required: ['question', 'decision'],
  properties: {
    question: { type: 'string', description: 'The id of the question, q_…' },
    decision: { enum: ['allow', 'reject'], description: 'allow: this one call may run.' },
    reason: { type: 'string', description: 'Sent to the worker with a rejection.' },
  },
};

export function parseDecided(value: unknown): WorkerDecision | string {
  const { question, decision, reason } = fieldsOf(value);
  if (typeof question !== 'string' || (decision !== 'allow' && decision !== 'reject')) {
    return 'decide needs "question" (its id) and "decision": allow or reject.';
  }
  return { question: question as QuestionId, decision, ...(typeof reason === 'string' && { reason }) };
}

/** Why the agent couldn't decide. Undefined if it did. */
export async function decideForWorker(
  { sessions }: WorkerParts,
  escalations: Escalations,
  parent: State,
  { question, decision, reason }: WorkerDecision,
): Promise<string | undefined> {
  const asked = escalations.open(parent.id).find((one) => one.question === question);
  if (asked === undefined) return `No worker of yours waits for an answer to ${question}.`;
  const problem =
    decision === 'allow' ? whyNotGranted(await sessions.state(asked.session), asked, parent) : undefined;
  if (problem !== undefined) return problem;
  const by = { type: 'agent', name: (turnOf(parent)?.agent ?? parent.agent).name } as const;
  const answer =
    decision === 'allow'
      ? ({ type: 'allow-once' } as const)
      : ({ type: 'reject', ...optional({ reason }) } as const);
  const receipt = await sessions.open(asked.session).send({ type: 'answer', question, answer }, { by });
  escalations.drop(parent.id, question);
  return receipt.type === 'refused' ? receipt.refusal.message : undefined;
}

function whyNotGranted(child: State, { question }: Escalated, parent: State): string | undefined {
  const about = child.questions.find(({ id }) => id === question)?.about;
  const activity = turnOf(child)?.activity;
  if (about?.type !== 'approval' || activity?.type !== 'running-calls')
    return `Question ${question} is not open any more.`;
  const waiting = activity.calls.find(
    (progress) => progress.type !== 'settled' && progress.call.id === about.call,
  );
  const call = waiting === undefined || waiting.type === 'settled' ? undefined : waiting.call;
  if (call === undefined) return `Question ${question} is not open any more.`;
  const turn = turnOf(parent);
  const policy = {
    rules: [...parent.rules, ...(turn?.rules ?? [])],
    grants: parent.grants,
    tools: (turn?.agent ?? parent.agent).tools ?? 'all',
  };
  const { verdict, reason } = judge(call, policy, parent.mode);
  if (verdict === 'allow') return undefined;
  return `You may not allow this: ${reason} A person will be asked.`;
}
