/** What the model reads about a tool's result, a new place, a limit that is near, and a turn that ended early. */
import { previewOf, type Body } from '../content.ts';
import type { Event } from '../event.ts';
import type { CallId } from '../ids.ts';
import type { Message } from '../message.ts';
import type { Ending, ToolResult } from '../outcome.ts';

export function resultMessage(call: CallId, tool: string, result: ToolResult): Message {
  switch (result.type) {
    case 'success':
      return { role: 'tool', call, tool, outcome: 'success', text: result.output };
    case 'error':
      return { role: 'tool', call, tool, outcome: 'error', text: result.message };
    case 'cancelled':
      return {
        role: 'tool',
        call,
        tool,
        outcome: 'cancelled',
        text: result.output ?? 'Cancelled before it finished.',
      };
  }
}

/** The agent's own message still holds the arguments that it proposed. */
export function editedNotice(tool: string, args: Body): string {
  return `The user changed your ${tool} call before it ran. It ran with these arguments: ${previewOf(args)}`;
}

export function movedNotice({ isFork, cwd, machine, missing }: Extract<Event, { type: 'place-moved' }>): string {
  const lost = missing.length === 0 ? '' : ` Check what you need of the following: ${missing.join('; ')}.`;
  if (machine !== undefined)
    return `Your folder stayed on a machine that is gone. You are now on another one, in ${cwd}, without your files.${lost}`;
  if (missing.length === 0) return `You work in ${cwd}.`;
  const where =
    isFork === true
      ? `This is a fork with its own clone, in ${cwd},`
      : `You are now on another machine, in ${cwd},`;
  return `${where} with the files that were saved last.${lost}`;
}

export function nearedNotice({ name, used, limit }: Extract<Event, { type: 'limit-neared' }>): string {
  const [spent, most] =
    name === 'cost' ? [`$${used.toFixed(2)}`, `$${limit}`] : [`${used}`, `${limit} ${named[name]}`];
  return `${spent} of this session's budget of ${most} are used. Come to an end before it is spent.`;
}

const named = { tokens: 'tokens', 'tool-calls': 'tool calls' } as const;

/** A completed turn needs no notice; other endings would leave the model guessing. */
export function endingNotice(ending: Ending): string | undefined {
  switch (ending.type) {
    case 'completed':
      return undefined;
    case 'cancelled':
      return 'The user interrupted this turn.';
    case 'failed':
    case 'timed-out':
      return `This turn ended early: ${ending.message}`;
  }
}
