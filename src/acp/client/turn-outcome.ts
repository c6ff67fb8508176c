import type { AgentOutcome } from '../../kernel/input.ts';
import type { AgentTurn } from '../../runtime/capabilities.ts';
import type { AgentProcess } from './agent-process.ts';
import type { AgentSpec } from './agent-spec.ts';
import { wordsOf, type RpcResult } from './json-rpc.ts';
import type { TurnGuard } from './turn-guard.ts';
import type { TurnRecorder } from './turn-recorder.ts';
import { promptResult } from './wire-schema.ts';

/** The outcome of a turn, from the agent's response and from whether Rondo ended it. */
export async function turnOutcome(
  answer: RpcResult,
  turn: AgentTurn,
  parts: {
    readonly spec: AgentSpec;
    readonly process: AgentProcess;
    readonly recorder: TurnRecorder;
    readonly guard: TurnGuard;
  },
): Promise<AgentOutcome> {
  const { spec, process, recorder, guard } = parts;
  if (guard.verdict === 'cancelled') return { type: 'cancelled' };
  if (guard.verdict === 'silent') {
    const message = `Agent ${spec.name} was stopped: it sent nothing for too long. Prompt it again to continue.`;
    return { type: 'failed', code: 'agent-timeout', message };
  }
  if (guard.verdict === 'flooding') {
    const message = `Agent ${spec.name} was stopped: it sent more than one turn may hold. Prompt it again to continue.`;
    return { type: 'failed', code: 'agent-failed', message };
  }
  const read = promptResult.safeParse(answer.type === 'result' ? answer.result : undefined);
  if (!read.success) {
    const isGone = answer.type === 'closed';
    const how = isGone ? await process.ended : wordsOf(answer);
    const words = isGone ? process.lastWords() : '';
    const message = `Agent ${spec.name} failed in the middle of its turn: ${how}.${words === '' ? '' : ` It wrote: ${words.slice(-500)}`}`;
    return { type: 'failed', code: 'agent-failed', message, ...(isGone && { retryable: true }) };
  }
  const { stopReason, _meta } = read.data;
  const usage = read.data.usage ?? quotaUsage(_meta?.quota?.token_count);
  switch (stopReason) {
    case 'cancelled':
      return { type: 'cancelled', reason: `${spec.name} cancelled it` };
    case 'refusal':
      return {
        type: 'failed',
        code: 'model-refused',
        message: `Agent ${spec.name} refused to continue. Rephrase the prompt, or use another agent.`,
      };
    case 'max_tokens':
    case 'max_turn_requests':
      turn.report({
        type: 'notice',
        severity: 'warning',
        text: `${spec.name} stopped at its own limit: ${stopReason}.`,
      });
      break;
    default:
      break;
  }
  if (usage === undefined) return { type: 'completed' };
  const { inputTokens, outputTokens, cachedReadTokens, thoughtTokens } = usage;
  return {
    type: 'completed',
    usage: recorder.remainder({
      inputTokens: inputTokens ?? 0,
      outputTokens: outputTokens ?? 0,
      ...(typeof cachedReadTokens === 'number' && { cachedTokens: cachedReadTokens }),
      ...(typeof thoughtTokens === 'number' && { reasoningTokens: thoughtTokens }),
    }),
  };
}

/** Token counts that some agents report beside the protocol, by either spelling. Undefined if there are none. */
function quotaUsage(counts: Readonly<Record<string, unknown>> | undefined) {
  const count = (...names: readonly string[]) =>
    names.map((name) => counts?.[name]).find((value): value is number => typeof value === 'number' && value >= 0);
  const inputTokens = count('input_tokens', 'inputTokens');
  const outputTokens = count('output_tokens', 'outputTokens');
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return {
    inputTokens,
    outputTokens,
    cachedReadTokens: count('cached_input_tokens', 'cachedInputTokens'),
    thoughtTokens: count('thought_tokens', 'reasoningOutputTokens'),
  };
}
