import type { State } from '../kernel/state.ts';

/** Why a session must stay, or undefined if it has no open work. */
export function openWorkOf({ phase, questions, queue, waits, workers }: State): string | undefined {
  if (phase.type === 'turn' || phase.type === 'cancelling') return 'a turn of it is not over';
  if (phase.type === 'restoring') return 'files of it are being restored';
  if (questions.length > 0) return 'a question of it is open';
  if (queue.prompts.length > 0) return 'prompts wait in its queue';
  if (waits.length > 0) return 'a timer of it is armed';
  return workers.length > 0 ? 'a worker of it is at work' : undefined;
}
