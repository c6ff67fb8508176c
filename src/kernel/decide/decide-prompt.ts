import { duplicateCall } from './call-graph.ts';
import { ownContext } from './decide-compaction.ts';
import { emit, type Draft, type Refusal } from './draft.ts';
import type { Input } from '../input.ts';
import { hasMeaning, meaningOf } from '../meaning.ts';
import type { QueueChange, Request } from '../prompt.ts';
import { queueChangeProblem } from '../evolve/queue.ts';
import { optional } from '../optional.ts';
import { turnOf } from '../state.ts';

type PromptInput = Extract<Input, { type: 'prompt-received' | 'task-received' | 'compaction-requested' }>;

export function decidePrompt(draft: Draft, input: PromptInput): Refusal | undefined {
  const { state } = draft;
  const refusal = closedProblem(draft) ?? queueFull(draft) ?? requestProblem(draft, input);
  if (refusal !== undefined) return refusal;
  // A prompt between turns resumes the session and its queue.
  if (state.queue.paused && turnOf(state) === undefined) {
    emit(draft, { type: 'queue-changed', change: { type: 'resumed' } });
  }
  const delivery = input.type === 'compaction-requested' ? 'queue' : input.delivery;
  emit(draft, { type: 'prompt-received', request: requestOf(input), delivery });
  return undefined;
}

export function decideQueueChange(draft: Draft, change: QueueChange): Refusal | undefined {
  const closed = closedProblem(draft);
  if (closed !== undefined) return closed;
  const problem = queueChangeProblem(draft.state.queue, change);
  if (problem !== undefined) return { code: 'not-found', message: problem };
  emit(draft, { type: 'queue-changed', change });
  return undefined;
}

function requestOf(input: PromptInput): Request {
  if (input.type === 'task-received') return { type: 'task', calls: input.calls };
  if (input.type === 'compaction-requested') {
    return { type: 'compact', ...optional({ keep: input.keep }) };
  }
  if (input.attachments === undefined && !hasMeaning(input)) return { type: 'chat', text: input.text };
  return {
    type: 'chat',
    text: input.text,
    ...optional({ attachments: input.attachments }),
    ...meaningOf(input),
  };
}

function requestProblem(draft: Draft, input: PromptInput): Refusal | undefined {
  const { mode, agent } = draft.state;
  if (input.type !== 'task-received') {
    if (mode.model === 'none') {
      return {
        code: 'invalid',
        message: `mode ${mode.name} has no model; send a task with a tool and its arguments`,
      };
    }
    if (input.type === 'compaction-requested' && agent.runs === 'external') {
      return { code: 'invalid', message: ownContext(agent.name) };
    }
    return undefined;
  }
  if (input.calls.length === 0) return { code: 'invalid', message: 'a task needs at least one call' };
  const twice = duplicateCall(input.calls);
  return twice === undefined
    ? undefined
    : { code: 'invalid', message: `two calls of the task have the id ${twice}` };
}

function queueFull({ state }: Draft): Refusal | undefined {
  const { queuedPrompts } = state.limits;
  if (state.queue.prompts.length < queuedPrompts) return undefined;
  return {
    code: 'limit',
    message: `the queue of session ${state.id} holds its ${queuedPrompts} prompts already; remove one or wait`,
  };
}

function closedProblem({ state }: Draft): Refusal | undefined {
  const isEnding = state.phase.type === 'cancelling' && state.phase.thenClose;
  if (state.phase.type !== 'closed' && !isEnding) return undefined;
  return { code: 'closed', message: `session ${state.id} is closed; fork it to continue` };
}
