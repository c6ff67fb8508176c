import type { ClientInput } from '../../session/client-input.ts';
import { usageError } from '../usage-error.ts';

/** In a mode without a model a prompt is a tool's name and its arguments: `list {"path":"src"}`. */
export function taskFrom(prompt: string): ClientInput {
  const [, command = '', args = ''] = /^\s*([\w-]+)\s*([\s\S]*)$/.exec(prompt) ?? [];
  if (command === '') throw notTask(prompt);
  try {
    return { type: 'task', command, args: args.trim() === '' ? {} : (JSON.parse(args) as unknown) };
  } catch {
    throw notTask(prompt);
  }
}

function notTask(prompt: string): Error {
  return usageError(
    `in this mode a prompt is a tool and its arguments as JSON, such as list {"path":"src"}; not "${prompt}"`,
  );
}
