import { evolve, step, type Recorded, type Step } from 'rondo';

/** The kernel's own decision, with bookkeeping of ours in the same journal: the tools used so far, after each turn. */
export const countingStep: Step = (state, input) => {
  const transition = step(state, input);
  if (!transition.events.some(({ event }) => event.type === 'turn-ended')) return transition;
  const counted: Recorded = {
    seq: transition.state.seq + 1,
    at: input.at,
    by: input.by,
    event: { type: 'custom', name: 'tools-used', data: transition.state.usage.toolCalls },
  };
  return {
    ...transition,
    state: evolve(transition.state, counted),
    events: [...transition.events, counted],
  };
};
