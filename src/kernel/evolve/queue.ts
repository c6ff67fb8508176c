import { editedChat, type QueueChange } from '../prompt.ts';
import type { State } from '../state.ts';

type Queue = State['queue'];

export function applyQueueChange(queue: Queue, change: QueueChange): Queue {
  switch (change.type) {
    case 'edited':
      return {
        ...queue,
        prompts: queue.prompts.map((prompt) =>
          prompt.seq === change.prompt && prompt.request.type === 'chat'
            ? { ...prompt, request: editedChat(prompt.request, change) }
            : prompt,
        ),
      };
    case 'moved': {
      const moved = queue.prompts.filter((prompt) => prompt.seq === change.prompt);
      const others = queue.prompts.filter((prompt) => prompt.seq !== change.prompt);
      return { ...queue, prompts: [...others.slice(0, change.to), ...moved, ...others.slice(change.to)] };
    }
    case 'removed':
      return { ...queue, prompts: queue.prompts.filter((prompt) => prompt.seq !== change.prompt) };
    case 'cleared':
      return { ...queue, prompts: [] };
    case 'paused':
      return { ...queue, paused: true };
    case 'resumed':
      return { ...queue, paused: false };
  }
}

const notChat = { task: 'a task', compact: 'a request to summarize' } as const;

/** Why a change is invalid, or undefined. */
export function queueChangeProblem(queue: Queue, change: QueueChange): string | undefined {
  switch (change.type) {
    case 'cleared':
    case 'paused':
    case 'resumed':
      return undefined;
    case 'edited':
    case 'moved':
    case 'removed': {
      const prompt = queue.prompts.find((queued) => queued.seq === change.prompt);
      if (prompt === undefined) {
        return `prompt ${change.prompt} is not in the queue; it may have been taken already`;
      }
      if (change.type === 'edited' && prompt.request.type !== 'chat') {
        return `prompt ${change.prompt} is ${notChat[prompt.request.type]}; remove it and send another`;
      }
      if (change.type === 'moved' && !(Number.isInteger(change.to) && change.to >= 0)) {
        return `place ${change.to} is not a place in the queue; places count from 0`;
      }
      return undefined;
    }
  }
}
