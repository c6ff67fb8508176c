/** Selecting within the queue: edit, remove, steer or move a prompt. Pure: the caller keeps the selection. */
import type { QueueChange } from '../../kernel/prompt.ts';
import type { Status } from '../../views/status.ts';

type Prompts = Status['queue']['prompts'];

export type QueueKey = 'up' | 'down' | 'edit' | 'remove' | 'steer' | 'earlier' | 'later';

interface QueueStep {
  /** Undefined: back to the prompt. */
  readonly selected: number | undefined;
  readonly act?:
    | { readonly type: 'change'; readonly change: QueueChange }
    | { readonly type: 'edit'; readonly prompt: number }
    | { readonly type: 'steer'; readonly prompt: number };
}

/** In the order of the screen: steering first. */
export function shownOrder(prompts: Prompts): Prompts {
  const isSteered = ({ delivery }: Prompts[number]) => delivery === 'steer';
  return [...prompts.filter(isSteered), ...prompts.filter((prompt) => !isSteered(prompt))];
}

export function queueKey(prompts: Prompts, selected: number, key: QueueKey): QueueStep {
  const order = shownOrder(prompts);
  const at = order.findIndex(({ prompt }) => prompt === selected);
  if (at < 0) return { selected: order.at(-1)?.prompt };
  const place = prompts.findIndex(({ prompt }) => prompt === selected);
  const moved = (to: number): QueueStep =>
    to < 0 || to >= prompts.length
      ? { selected }
      : { selected, act: { type: 'change', change: { type: 'moved', prompt: selected, to } } };
  switch (key) {
    case 'up':
      return { selected: order[Math.max(0, at - 1)]?.prompt };
    case 'down':
      // Below the last one is the prompt itself.
      return { selected: order[at + 1]?.prompt };
    case 'edit':
      return { selected: undefined, act: { type: 'edit', prompt: selected } };
    case 'steer':
      return { selected: undefined, act: { type: 'steer', prompt: selected } };
    case 'remove':
      return {
        selected: (order[at + 1] ?? order[at - 1])?.prompt,
        act: { type: 'change', change: { type: 'removed', prompt: selected } },
      };
    case 'earlier':
      return moved(place - 1);
    case 'later':
      return moved(place + 1);
  }
}
