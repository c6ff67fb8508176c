import type { State } from '../kernel/state.ts';

/** Why a session must stay, or undefined if it has no open work. */
export function openWorkOf({ phase, questions, queue, waits, workers }: State): string | undefined {
  if (phase.type === 'turn' || phase.type === 'cancelling') return 'a turn is running';
  if (phase.type === 'restoring') return 'files are being restored';
  if (questions.length > 0) return 'a question is open';
  if (queue.prompts.length > 0) return 'prompts are queued';
  if (waits.length > 0) return 'a timer is set';
  return workers.length > 0 ? 'a worker is working' : undefined;
}
