/** The same call with the same result, again and again in one turn: first the model is warned, then it is stopped. */
import type { Body } from '../kernel/content.ts';
import type { Event } from '../kernel/event.ts';
import type { CallId } from '../kernel/ids.ts';
import type { ToolResult } from '../kernel/outcome.ts';
import type { LivenessVerdict } from '../kernel/verdict.ts';

export interface Looping {
  readonly calls: ReadonlyMap<CallId, { readonly tool: string; readonly args: string }>;
  /** How often each call with its result came in this turn. */
  readonly times: ReadonlyMap<string, number>;
}

export interface LoopLimits {
  readonly warnAt: number;
  readonly stopAt: number;
}

export const notLooping: Looping = { calls: new Map(), times: new Map() };

export function loopingAfter(
  looping: Looping,
  event: Event,
  limits: LoopLimits,
): { readonly looping: Looping; readonly verdict?: LivenessVerdict } {
  switch (event.type) {
    case 'turn-started':
      return { looping: notLooping };
    case 'model-settled': {
      if (event.outcome.type !== 'completed' || event.outcome.calls.length === 0) return { looping };
      const calls = event.outcome.calls.map(({ id, tool, args }) => [id, { tool, args: textOf(args) }] as const);
      return { looping: { ...looping, calls: new Map(calls) } };
    }
    case 'tool-settled': {
      const call = looping.calls.get(event.call);
      if (call === undefined) return { looping };
      const key = JSON.stringify([call.tool, call.args, event.result.type, resultText(event.result)]);
      const count = (looping.times.get(key) ?? 0) + 1;
      const next = { ...looping, times: new Map(looping.times).set(key, count) };
      if (count !== limits.warnAt && count !== limits.stopAt) return { looping: next };
      const action = count === limits.stopAt ? 'stop' : 'warn';
      const evidence = `${call.tool} was called ${count} times with the same arguments and gave the same result.`;
      return { looping: next, verdict: { verdict: 'looping', evidence, action } };
    }
    default:
      return { looping };
  }
}

function textOf(body: Body): string {
  return typeof body === 'string' ? body : body.blob;
}

function resultText(result: ToolResult): string {
  return textOf(result.type === 'error' ? result.message : (result.output ?? ''));
}
