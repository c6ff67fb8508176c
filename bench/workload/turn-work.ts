/**
 * The standard work of a turn, the same for every runtime: a user message, a model call that requests a tool, the
 * tool's short answer, a model call that answers in 20 deltas. The counts show afterwards that no runtime skipped
 * any of it.
 */
import { sleep } from '../harness/sleep.ts';
import type { TurnSession } from './turn-runtime.ts';

export const systemPrompt = 'You are a helpful assistant. Use the tools when they help. Answer in one sentence.';
export const userText = 'What is the weather in Paris today? Please look it up and tell me in one sentence.';
export const toolName = 'get_weather';
export const toolDescription = 'Returns the current weather for a city.';
export const toolArguments = JSON.stringify({ city: 'Paris' });
export const toolOutput = 'sunny, 21 C, light wind from the north-west';
export const deltas = Array.from({ length: 20 }, (_, index) => `word${String(index).padStart(2, '0')} `);
export const finalText = deltas.join('');

export interface TurnWork {
  readonly counts: { modelCalls: number; toolCalls: number };
  /** What a model call waits for before its first word. Undefined if it answers at once. */
  modelAnswers(): Promise<void> | undefined;
  runTool(): string;
  nextCallId(): string;
  /** Every model call from now on takes this long. */
  setLatency(milliseconds: number): void;
  /** Every model call from now on waits forever. */
  holdModel(): void;
}

export function createTurnWork(): TurnWork {
  const counts = { modelCalls: 0, toolCalls: 0 };
  let latencyMs = 0;
  let held: Promise<void> | undefined;
  let calls = 0;
  return {
    counts,
    modelAnswers() {
      counts.modelCalls += 1;
      return held ?? (latencyMs === 0 ? undefined : sleep(latencyMs));
    },
    runTool() {
      counts.toolCalls += 1;
      return toolOutput;
    },
    nextCallId() {
      calls += 1;
      return `call_${calls.toString(36)}`;
    },
    setLatency: (milliseconds) => (latencyMs = milliseconds),
    holdModel() {
      held = new Promise(() => undefined);
    },
  };
}

/** One turn; throws unless all of its work was done and every delta arrived. */
export async function runTurn(session: TurnSession, { counts }: TurnWork): Promise<void> {
  const { modelCalls, toolCalls } = counts;
  let arrived = 0;
  const text = await session.turn(userText, () => (arrived += 1));
  const did = {
    text,
    arrived,
    modelCalls: counts.modelCalls - modelCalls,
    toolCalls: counts.toolCalls - toolCalls,
  };
  if (text !== finalText || arrived !== deltas.length || did.modelCalls !== 2 || did.toolCalls !== 1) {
    throw new Error(`The turn did not do the work it is measured for: ${JSON.stringify(did)}`);
  }
}
