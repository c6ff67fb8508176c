/** A model that follows a script. It is strict: a call without a step fails, and `verify` names every unused step. */
import { estimateTokens, previewOf } from '../kernel/content.ts';
import { nearestName } from '../kernel/nearest-name.ts';
import { optional } from '../kernel/optional.ts';
import { failureCodes, type FailureCode, type Usage } from '../kernel/outcome.ts';
import type { Model, ModelRequest, ModelResult, ModelSink } from '../ports/model.ts';

/** One reply of a scripted model, and the request it expects. */
export interface ScriptedStep {
  readonly text?: string;
  /** The reply's text in pieces. */
  readonly deltas?: readonly string[];
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly usage?: Usage;
  readonly stop?: 'end' | 'calls' | 'length' | 'refusal';
  readonly fail?: {
    readonly code: FailureCode;
    readonly message: string;
    readonly retryable?: boolean;
    readonly retryAt?: number;
  };
  /** Never settles; waits for cancellation. */
  readonly hang?: boolean;
  /** Milliseconds between the text and the settlement. */
  readonly delayMs?: number;
  /** Text that the newest message must contain. */
  readonly expect?: string;
}

interface ScriptedCall {
  readonly id?: string;
  readonly tool: string;
  readonly args?: unknown;
}

/** A model and the rest of its script. */
export interface ScriptedModel extends Model {
  readonly requests: readonly ModelRequest[];
  /** Throws unless every step was used and no call was unexpected. */
  verify(): void;
}

interface ScriptOptions {
  readonly name?: string;
  /**
   * `sequence`: each call takes the next step. `position`: the number of replies in the conversation selects the
   * step, so that a script continues after a restart.
   */
  readonly order?: 'sequence' | 'position';
}

/** A model that follows a script. Unexpected requests fail, and `verify` reports unused steps. */
export function createScriptedModel(steps: readonly ScriptedStep[], options: ScriptOptions = {}): ScriptedModel {
  const { name = 'scripted', order = 'sequence' } = options;
  const requests: ModelRequest[] = [];
  const problems: string[] = [];
  const used = new Set<number>();
  return {
    name,
    requests,
    async call(request, sink, signal) {
      const index = order === 'sequence' ? requests.length : repliesIn(request);
      // A live session's message array grows in place, so keep a copy.
      requests.push({ ...request, messages: [...request.messages] });
      const step = steps[index];
      const problem = step === undefined ? `call ${index + 1} has no step` : unexpected(step, request, index);
      if (step === undefined || problem !== undefined) {
        const message = `The scripted model: ${problem}.`;
        problems.push(message);
        return { type: 'failed', code: 'model-invalid', message, retryable: false };
      }
      used.add(index);
      return play(step, index, request, sink, signal);
    },
    verify() {
      const unused = steps.flatMap((_, index) => (used.has(index) ? [] : [`step ${index + 1} was not used`]));
      const all = [...problems, ...unused];
      if (all.length > 0) throw new Error(`The script was not followed: ${all.join('; ')}`);
    },
  };
}

/** The steps of a script file, or the problem with it. */
export function parseScript(text: string): readonly ScriptedStep[] | string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return `it is not valid JSON: ${(error as Error).message}`;
  }
  const steps = Array.isArray(parsed) ? parsed : (parsed as { steps?: unknown } | null)?.steps;
  if (!Array.isArray(steps)) return 'it should be a list of steps, or an object with one under "steps"';
  for (const [index, step] of steps.entries()) {
    if (typeof step !== 'object' || step === null || Array.isArray(step))
      return `step ${index + 1} is not an object`;
    const unknown = Object.keys(step).find((key) => !stepKeys.includes(key));
    if (unknown !== undefined)
      return `step ${index + 1} has the unknown key "${unknown}"; keys are ${stepKeys.join(', ')}`;
    const problem = failureProblem((step as ScriptedStep).fail);
    if (problem !== undefined) return `step ${index + 1} ${problem}`;
  }
  return steps as readonly ScriptedStep[];
}

function failureProblem(fail: unknown): string | undefined {
  if (fail === undefined) return undefined;
  if (typeof fail !== 'object' || fail === null) return 'has a "fail" that is not an object';
  const { code, message } = { code: undefined, message: undefined, ...fail };
  if (typeof message !== 'string') return 'has a "fail" without a message';
  if (typeof code === 'string' && failureCodes.includes(code)) return undefined;
  const nearest = typeof code === 'string' ? nearestName(code, failureCodes) : undefined;
  const hint = nearest === undefined ? `codes are ${failureCodes.join(', ')}` : `did you mean "${nearest}"?`;
  return `fails with the unknown code ${JSON.stringify(code) ?? 'undefined'}; ${hint}`;
}

const stepKeys: readonly string[] = [
  'text',
  'deltas',
  'reasoning',
  'calls',
  'usage',
  'stop',
  'fail',
  'hang',
  'delayMs',
  'expect',
];

async function play(
  step: ScriptedStep,
  index: number,
  request: ModelRequest,
  sink: ModelSink,
  signal: AbortSignal,
): Promise<ModelResult> {
  const deltas = step.deltas ?? (step.text === undefined || step.text === '' ? [] : [step.text]);
  if (step.reasoning !== undefined) sink.reasoning(step.reasoning);
  for (const delta of deltas) sink.text(delta);
  if (step.hang === true) await aborted(signal);
  if (step.delayMs !== undefined) await Promise.race([sleep(step.delayMs), aborted(signal)]);
  if (signal.aborted) return { type: 'cancelled' };
  if (step.fail !== undefined) return { type: 'failed', retryable: true, ...step.fail };
  const text = deltas.join('');
  const calls = (step.calls ?? []).map(({ id, tool, args }, at) => ({
    id: id ?? `call_${index + 1}_${at + 1}`,
    tool,
    args: JSON.stringify(args ?? {}),
  }));
  return {
    type: 'completed',
    text,
    ...optional({ reasoning: step.reasoning }),
    calls,
    usage: step.usage ?? {
      inputTokens: inputTokens(request),
      outputTokens: estimateTokens(text),
      cost: 0,
      estimated: true,
    },
    stop: step.stop ?? (calls.length > 0 ? 'calls' : 'end'),
  };
}

function unexpected({ expect }: ScriptedStep, { messages }: ModelRequest, index: number): string | undefined {
  const newest = messages.at(-1);
  if (expect === undefined || newest === undefined || previewOf(newest.text).includes(expect)) return undefined;
  return `step ${index + 1} expects "${expect}" in the newest message, which is "${previewOf(newest.text).slice(0, 80)}"`;
}

function repliesIn({ messages }: ModelRequest): number {
  return messages.filter((message) => message.role === 'assistant').length;
}

function inputTokens({ messages }: ModelRequest): number {
  return messages.reduce((sum, message) => sum + estimateTokens(message.text), 0);
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
