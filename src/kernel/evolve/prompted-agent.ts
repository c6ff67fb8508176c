import type { AgentRequestProgress } from '../agent-request.ts';
import { turnOf, type PromptingAgent, type State } from '../state.ts';
import { withActivity } from './turn-change.ts';

/** The external agent's turn in flight, also while a person is asked whether to resume it. */
export function promptedAgent(state: State): PromptingAgent | undefined {
  const activity = turnOf(state)?.activity;
  if (activity?.type === 'prompting-agent') return activity;
  return activity?.type === 'asking-repeat' && activity.of.type === 'prompting-agent' ? activity.of : undefined;
}

type RequestChange = (requests: readonly AgentRequestProgress[]) => readonly AgentRequestProgress[];

/** Changes the agent's open requests. Does nothing without an agent in flight. */
export function withRequests(state: State, change: RequestChange): State {
  const activity = turnOf(state)?.activity;
  if (activity?.type === 'prompting-agent') return withActivity(state, changed(activity, change));
  if (activity?.type !== 'asking-repeat' || activity.of.type !== 'prompting-agent') return state;
  return withActivity(state, { ...activity, of: changed(activity.of, change) });
}

function changed({ requests: before, ...agent }: PromptingAgent, change: RequestChange): PromptingAgent {
  const requests = change(before ?? []);
  return requests.length === 0 ? agent : { ...agent, requests };
}

/** The owner and the agent's process are gone. An agent that waited for an answer stays stopped until it has one. */
export function withAgentParked(state: State): State {
  const activity = turnOf(state)?.activity;
  if (state.phase.type !== 'turn' || activity?.type !== 'prompting-agent') return state;
  const isWaiting = activity.requests?.some((request) => request.type === 'asking' && request.lost !== true);
  if (isWaiting !== true) return state;
  return withRequests(withActivity(state, { ...activity, parked: true }), loseRequests);
}

/** The asking process is gone. */
export const loseRequests: RequestChange = (requests) =>
  requests.map((request) => (request.type === 'asking' ? { ...request, lost: true } : request));
