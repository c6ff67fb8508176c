import { turnOf, type State } from '../kernel/state.ts';

/** Whether all that is in flight of a session are jobs of its own: others may run in its place meanwhile. */
export function waitsForJobs(state: State): boolean {
  const activity = turnOf(state)?.activity;
  if (activity?.type !== 'running-calls') return false;
  const running = activity.calls.filter((progress) => progress.type === 'running');
  return running.length > 0 && running.every(({ call }) => call.facts.runs === 'job');
}
