/** Short constructors for inputs, for tables and simulations. Add times and actors with a spread. */
import type { AgentRef } from '../kernel/agent.ts';
import type { Call, CallFacts } from '../kernel/call.ts';
import type { SummaryOutcome } from '../kernel/context.ts';
import type { CallId, EffectId, QuestionId } from '../kernel/ids.ts';
import type { InputBody, ModelOutcome, SessionSetup } from '../kernel/input.ts';
import { modes } from '../kernel/mode.ts';
import { optional } from '../kernel/optional.ts';
import type { Usage } from '../kernel/outcome.ts';
import type { ToolResult } from '../kernel/outcome.ts';
import type { Delivery } from '../kernel/prompt.ts';
import type { Answer } from '../kernel/question.ts';

type Body<Type extends InputBody['type']> = Extract<InputBody, { type: Type }>;

/** Usage of one model call in these sessions. */
export const testUsage: Usage = { inputTokens: 10, outputTokens: 5, cost: 0.001 };
/** The agent of these sessions. */
export const testAgent: AgentRef = { name: 'tester', runs: 'model' };

/** The session was created. */
export function created(setup: Partial<SessionSetup> = {}): Body<'session-requested'> {
  return { type: 'session-requested', agent: testAgent, mode: modes.interactive, cwd: '/work', ...setup };
}

/** A person sent a prompt. */
export function chat(text: string, delivery: Delivery = 'queue'): Body<'prompt-received'> {
  return { type: 'prompt-received', text, delivery };
}

/** A person called a tool. */
export function task(...calls: readonly Call[]): Body<'task-received'> {
  return { type: 'task-received', calls, delivery: 'queue' };
}

/** A call of a tool that may always run, unless its facts state otherwise. */
export function call(id: string, tool = 'look', facts: Partial<CallFacts> = {}, rest: Partial<Call> = {}): Call {
  return {
    id: id as CallId,
    tool,
    args: '{}',
    facts: { access: 'read', repeat: 'safe', order: 'parallel', runs: 'tool', ...facts },
    ...rest,
  };
}

/** A call that changes something: guarded, exclusive, not repeatable. */
export function changingCall(id: string, tool = 'change', facts: Partial<CallFacts> = {}): Call {
  return call(id, tool, { access: 'write', repeat: 'never', order: 'exclusive', ...facts });
}

/** A model call settled. */
export function modelSettled(effect: string, outcome: ModelOutcome, attempt = 1): Body<'model-settled'> {
  return { type: 'model-settled', effect: effect as EffectId, attempt, outcome };
}

/** The model answered with text. */
export function replied(
  effect: string,
  text: string,
  calls: readonly Call[] = [],
  attempt = 1,
): Body<'model-settled'> {
  return modelSettled(effect, reply(text, calls), attempt);
}

/** The outcome of a model call that answers with text. */
export function reply(text: string, calls: readonly Call[] = []): ModelOutcome {
  return { type: 'completed', text, calls, usage: testUsage, stop: calls.length > 0 ? 'calls' : 'end' };
}

/** A model call failed. */
export function modelFailed(effect: string, retryable = true, attempt = 1): Body<'model-settled'> {
  return modelSettled(
    effect,
    { type: 'failed', code: 'model-unavailable', message: 'no answer', retryable },
    attempt,
  );
}

/** A tool call settled. */
export function toolSettled(
  effect: string,
  output: string | ToolResult = 'ok',
  attempt = 1,
): Body<'tool-settled'> {
  const result: ToolResult = typeof output === 'string' ? { type: 'success', output } : output;
  return { type: 'tool-settled', effect: effect as EffectId, attempt, result };
}

/** A person answered a question. */
export function answered(question: string, answer: Answer['type'] | Answer): Body<'question-answered'> {
  const full = typeof answer === 'string' ? ({ type: answer } as Answer) : answer;
  return { type: 'question-answered', question: question as QuestionId, answer: full };
}

/** A report of an external agent, in the first turn of a session. */
export function agentReported(report: Body<'agent-reported'>['report'], attempt = 1): Body<'agent-reported'> {
  return { type: 'agent-reported', effect: 'ses_1.4' as EffectId, attempt, report };
}

/** A person interrupted. */
export const interrupted: Body<'interrupted'> = { type: 'interrupted' };
/** Another process took over the session. */
export const recovered: Body<'session-recovered'> = { type: 'session-recovered', epoch: 2 };

/** A timer fired. */
export function timeReached(effect: string): Body<'time-reached'> {
  return { type: 'time-reached', effect: effect as EffectId };
}

/** A person requested a compaction. */
export function compactionRequested(keep?: string): Body<'compaction-requested'> {
  return { type: 'compaction-requested', ...optional({ keep }) };
}

/** A summary that keeps the session's own journal from `from` on. */
export function summed(effect: string, from: number, attempt = 1): Body<'summary-settled'> {
  return summarySettled(effect, { ...summary(from), type: 'completed' }, attempt);
}

/** The summary settled. */
export function summarySettled(effect: string, outcome: SummaryOutcome, attempt = 1): Body<'summary-settled'> {
  return { type: 'summary-settled', effect: effect as EffectId, attempt, outcome, usage: testUsage };
}

/** The outcome of a summarizing model call. */
export function summary(from: number): Omit<Extract<SummaryOutcome, { type: 'completed' }>, 'type'> {
  return {
    summary: 'So far.',
    kept: { constraints: [], open: [], files: [] },
    rest: { from, messages: 1, tokens: 2 },
  };
}
