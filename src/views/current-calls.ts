import type { Call } from '../kernel/call.ts';
import { previewOf } from '../kernel/content.ts';
import type { Recorded } from '../kernel/event.ts';
import type { CallId } from '../kernel/ids.ts';
import { callPart } from './call-summary.ts';

/** The calls of the newest reply or task. Call ids are unique only among these. */
export interface CurrentCalls {
  readonly calls: readonly Call[];
  /** Tasks that no turn has taken yet. */
  readonly tasks: readonly { readonly prompt: number; readonly calls: readonly Call[] }[];
}

export function newCurrentCalls(): CurrentCalls {
  return { calls: [], tasks: [] };
}

export function currentCallsWith(view: CurrentCalls, { event, seq }: Recorded): CurrentCalls {
  const { tasks } = view;
  switch (event.type) {
    case 'prompt-received':
      if (event.request.type !== 'task') return view;
      return { ...view, tasks: [...tasks, { prompt: seq, calls: event.request.calls }] };
    case 'queue-changed':
      if (event.change.type === 'cleared') return { ...view, tasks: [] };
      return event.change.type === 'removed' ? { ...view, tasks: without(tasks, event.change.prompt) } : view;
    case 'turn-started': {
      const taken = tasks.find(({ prompt }) => prompt === event.prompt);
      return { calls: taken?.calls ?? [], tasks: without(tasks, event.prompt) };
    }
    case 'model-settled':
      return event.outcome.type === 'completed' ? { ...view, calls: event.outcome.calls } : view;
    case 'tool-settled':
      return event.followUps === undefined ? view : { ...view, calls: [...view.calls, ...event.followUps] };
    case 'turn-ended':
      return { ...view, calls: [] };
    case 'session-closed':
      return newCurrentCalls();
    default:
      return view;
  }
}

/** The main argument of a call, or the most dangerous part of its command. */
export function callPartOf({ calls }: CurrentCalls, call: CallId): string | undefined {
  const found = calls.find(({ id }) => id === call);
  const part = found === undefined ? '' : callPart(previewOf(found.args), found.facts);
  return part === '' ? undefined : part;
}

export function toolOf({ calls }: CurrentCalls, call: CallId): string {
  return calls.find(({ id }) => id === call)?.tool ?? 'tool';
}

function without(tasks: CurrentCalls['tasks'], prompt: number): CurrentCalls['tasks'] {
  return tasks.some((task) => task.prompt === prompt) ? tasks.filter((task) => task.prompt !== prompt) : tasks;
}
