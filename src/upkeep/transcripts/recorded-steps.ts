/** A recorded turn as what a model said and which tools it called, step by step. */
import type { OtherPart } from './transcript.ts';

export interface RecordedStep {
  readonly text: string;
  readonly calls: readonly { readonly tool: string; readonly args: string; readonly output: string }[];
}

/** Text opens a step, calls join it. The last step has no calls, as every answer of a model. */
export function recordedSteps(parts: readonly OtherPart[]): readonly RecordedStep[] {
  const steps: { text: string; calls: { tool: string; args: string; output: string }[] }[] = [];
  for (const part of parts) {
    const last = steps.at(-1);
    if (part.type === 'text') {
      if (last === undefined || last.calls.length > 0) steps.push({ text: part.text, calls: [] });
      else last.text = last.text === '' ? part.text : `${last.text}\n\n${part.text}`;
      continue;
    }
    const call = { tool: toolName(part.tool), args: JSON.stringify(part.args ?? {}), output: part.output };
    if (last === undefined) steps.push({ text: '', calls: [call] });
    else last.calls.push(call);
  }
  const isAnswered = steps.length > 0 && steps.at(-1)?.calls.length === 0;
  return isAnswered ? steps : [...steps, { text: '[No answer was recorded.]', calls: [] }];
}

/** Providers accept only these characters. */
function toolName(name: string): string {
  const plain = name.replaceAll(/[^\w-]/g, '_').slice(0, 60);
  return plain === '' ? 'tool' : plain;
}
