/** Settlements of effects. One for another effect or attempt is late and ignored. */
import { armWait } from './arm-wait.ts';
import { duplicateCall } from './call-graph.ts';
import { decideCompaction } from './decide-compaction.ts';
import { closeToolQuestions } from './decide-tool-asked.ts';
import { emit, type Draft, type Refusal } from './draft.ts';
import { endTurn } from './end-turn.ts';
import type { Input, ModelOutcome } from '../input.ts';
import { optional } from '../optional.ts';
import type { ToolResult } from '../outcome.ts';
import { turnOf } from '../state.ts';

type InputOf<Type extends Input['type']> = Extract<Input, { type: Type }>;

export function decideModelSettled(draft: Draft, input: InputOf<'model-settled'>): Refusal | undefined {
  const activity = turnOf(draft.state)?.activity;
  if (activity?.type !== 'calling-model') return undefined;
  if (activity.effect !== input.effect || activity.attempt !== input.attempt) return undefined;
  const outcome = draft.state.phase.type === 'cancelling' ? asCancelled(input.outcome) : checked(input.outcome);
  emit(draft, { type: 'model-settled', effect: input.effect, outcome });
  if (draft.state.phase.type === 'turn' && outcome.type !== 'completed') afterModelError(draft, outcome);
  return undefined;
}

export function decideCallSettled(
  draft: Draft,
  input: InputOf<'tool-settled' | 'job-settled'>,
): Refusal | undefined {
  const activity = turnOf(draft.state)?.activity;
  if (activity?.type !== 'running-calls') return undefined;
  const running = activity.calls.find(
    (progress) => progress.type === 'running' && progress.effect === input.effect,
  );
  if (running?.type !== 'running' || running.attempt !== input.attempt) return undefined;
  const result: ToolResult =
    draft.state.phase.type === 'cancelling' ? cancelledResult(input.result) : input.result;
  const followUps =
    input.type === 'tool-settled' && draft.state.phase.type === 'turn' ? input.followUps : undefined;
  closeToolQuestions(draft, running.call.id);
  emit(draft, {
    type: 'tool-settled',
    call: running.call.id,
    result,
    ...optional({ followUps, sampled: input.type === 'tool-settled' ? input.sampled : undefined }),
  });
  return undefined;
}

/** Waits and retries after an error, unless there were too many in a row or a retry is pointless. */
function afterModelError(draft: Draft, outcome: Exclude<ModelOutcome, { type: 'completed' }>): void {
  if (outcome.type === 'cancelled') return endTurn(draft, { type: 'cancelled', ...reasonOf(outcome.reason) });
  const turn = turnOf(draft.state);
  if (outcome.type === 'failed' && outcome.code === 'model-context-full' && turn !== undefined) {
    if (turn.errorsInRow < draft.state.limits.errorsInRow) return decideCompaction(draft, 'full', turn);
  }
  if (outcome.type === 'failed' && !outcome.retryable) {
    return endTurn(draft, { type: 'failed', code: outcome.code, message: outcome.message });
  }
  const { limits } = draft.state;
  if ((turnOf(draft.state)?.errorsInRow ?? 0) >= limits.errorsInRow) {
    return endTurn(draft, {
      type: 'failed',
      code: outcome.type === 'failed' ? outcome.code : 'errors-in-row',
      message: `${limits.errorsInRow} errors in a row; the last: ${outcome.message}`,
    });
  }
  // Otherwise the pause in `advance` is enough.
  if (outcome.type === 'failed' && outcome.retryAt !== undefined)
    armWait(draft, 'provider-reset', outcome.retryAt);
}

/** Unlike a rejected request, an invalid reply is retried: the next one is probably valid. */
function checked(outcome: ModelOutcome): ModelOutcome {
  if (outcome.type !== 'completed') return outcome;
  const twice = duplicateCall(outcome.calls);
  if (twice === undefined) return outcome;
  return {
    type: 'failed',
    code: 'model-invalid',
    message: `the model gave two tool calls the id ${twice}; choose another model if this happens again`,
    retryable: true,
    usage: outcome.usage,
  };
}

function asCancelled(outcome: ModelOutcome): ModelOutcome {
  if (outcome.type === 'cancelled') return outcome;
  const partial = outcome.type === 'completed' ? outcome.text : outcome.partial;
  return {
    type: 'cancelled',
    ...(partial !== undefined && partial !== '' && { partial }),
    ...optional({ usage: outcome.usage }),
  };
}

function cancelledResult(result: ToolResult): ToolResult {
  if (result.type === 'cancelled') return result;
  return { type: 'cancelled', output: result.type === 'success' ? result.output : result.message };
}

function reasonOf(reason: string | undefined): { reason?: string } {
  return reason === undefined ? {} : { reason };
}
