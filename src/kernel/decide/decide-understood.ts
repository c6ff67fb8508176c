import { budgetLeft } from '../budget.ts';
import { emit, want, type Draft, type Refusal } from './draft.ts';
import { endTurn } from './end-turn.ts';
import type { Input } from '../input.ts';
import { optional } from '../optional.ts';
import { turnOf } from '../state.ts';

/** Token limit for asking a model about a prompt's meaning: the prompt's beginning, the verbs, and one line back. */
const understandingTokens = 2000;

/** Asks the model for the meaning. Without budget, the rules' result stands. */
export function understandPrompt(draft: Draft): boolean {
  const left = budgetLeft(draft.state).tokens;
  if (left !== undefined && left < understandingTokens) return false;
  const effect = emit(draft, { type: 'understanding-intended', reserved: understandingTokens });
  want(draft, { type: 'understand', effect, attempt: 1 });
  return true;
}

export function decideUnderstood(
  draft: Draft,
  { effect, attempt, outcome }: Extract<Input, { type: 'prompt-understood' }>,
): Refusal | undefined {
  const { phase } = draft.state;
  const activity = turnOf(draft.state)?.activity;
  if (activity?.type !== 'understanding') return undefined;
  if (activity.effect !== effect || activity.attempt !== attempt) return undefined;
  const { usage } = outcome;
  const cancelled = { type: 'cancelled', ...optional({ usage }) } as const;
  emit(draft, { type: 'prompt-understood', effect, outcome: phase.type === 'cancelling' ? cancelled : outcome });
  if (phase.type === 'turn' && outcome.type === 'cancelled') endTurn(draft, { type: 'cancelled' });
  return undefined;
}
