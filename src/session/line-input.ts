/** Converts a line in modes where lines may be tool calls: to a gated task, or to a prompt with the value of `_`. */
import { existsSync } from 'node:fs';
import path from 'node:path';

import type { Call, RequestedCall } from '../kernel/call.ts';
import type { Refusal } from '../kernel/decide/draft.ts';
import type { InputBody } from '../kernel/input.ts';
import type { Delivery } from '../kernel/prompt.ts';
import type { State } from '../kernel/state.ts';
import { namesLast, readCallLine, withLast, type LineTool } from './call-line.ts';

export interface LineInputParts {
  readonly tools: (state: State) => Promise<readonly LineTool[]>;
  /** The last call's output or the last reply's text, whichever is newer. */
  readonly last: () => Promise<string | undefined>;
}

interface Line {
  readonly text: string;
  readonly delivery?: Delivery;
  readonly attachments?: readonly unknown[];
}

interface Scene<Context extends { readonly state: State }> {
  readonly lines: LineInputParts;
  readonly context: Context;
  readonly describe: (calls: readonly RequestedCall[], context: Context) => Promise<readonly Call[]>;
  readonly unique: () => string;
}

export async function lineInput<Context extends { readonly state: State }>(
  { text, delivery = 'queue', attachments }: Line,
  { lines, context, describe, unique }: Scene<Context>,
  toPrompt: () => InputBody | Refusal | Promise<InputBody | Refusal>,
): Promise<InputBody | Refusal> {
  if (attachments !== undefined) return toPrompt();
  const { state } = context;
  const last = namesLast(text) ? await lines.last() : undefined;
  if (text.trim() === '_') return aloneRefusal;
  const call = readCallLine(text, {
    tools: await lines.tools(state),
    last,
    onlyCalls: state.mode.model === 'none',
  });
  if (call !== undefined) {
    const requested = { id: `task_${unique()}`, tool: call.tool, args: JSON.stringify(call.args) };
    const calls = await describe([requested], context);
    if (call.written === 'by-name' || !calls.some((one) => mayBeProse(one, text, state.cwd)))
      return { type: 'task-received', calls, delivery };
  }
  const prompt = await toPrompt();
  // The intent comes from the person's own words, not from what a tool or a model wrote.
  return last === undefined || 'code' in prompt || prompt.type !== 'prompt-received'
    ? prompt
    : { ...prompt, text: withLast(text, last) };
}

/**
 * `write a poem` and `delete everything` are sentences: a call that changes something must name its arguments. `list
 * files` is one if there is no such folder.
 */
function mayBeProse({ facts: { access, problem, paths = [] } }: Call, text: string, cwd: string): boolean {
  if (access === 'write' || problem !== undefined) return true;
  const words = new Set(text.split(/\s+/));
  return paths.some((one) => words.has(path.basename(one.path)) && !existsSync(path.resolve(cwd, one.path)));
}

const aloneRefusal: Refusal = {
  code: 'invalid',
  message: '`_` is the last result: use it in a call (`read _`) or in a prompt (`explain _`)',
};
