/**
 * Summarizes a worker's progress from its transcript alone: the model that could summarize it is the one that
 * doesn't respond.
 */
import { previewOf } from '../kernel/content.ts';
import type { Recorded } from '../kernel/event.ts';
import type { CallId } from '../kernel/ids.ts';
import { oneLine } from '../views/one-line.ts';

export function condensed(objective: string, events: readonly Recorded[]): string {
  const tools = new Map<CallId, string>();
  const done: string[] = [];
  for (const { event } of events) {
    if (event.type === 'model-settled' && event.outcome.type === 'completed') {
      const { text, calls } = event.outcome;
      if (previewOf(text).trim() !== '') done.push(`- You said: ${oneLine(previewOf(text))}`);
      for (const { id, tool, args } of calls) tools.set(id, `${tool} ${oneLine(previewOf(args))}`);
    }
    if (event.type === 'tool-settled') {
      const { call, result } = event;
      const output = result.type === 'error' ? result.message : (result.output ?? 'cancelled');
      done.push(`- ${tools.get(call) ?? 'a tool'} gave ${result.type}: ${oneLine(previewOf(output))}`);
    }
  }
  const soFar = done.length === 0 ? '- nothing yet' : done.slice(-mostLines).join('\n');
  return `${objective}\n\nYou were at this before and stopped in the middle. What was done so far:\n${soFar}\n\nGo on from there.`;
}

const mostLines = 40;
