import { emit, want, type Draft } from './draft.ts';
import type { EffectId } from '../ids.ts';
import { optional } from '../optional.ts';
import { turnOf } from '../state.ts';

/** Repeats an effect with the same id. Settlements of the previous attempt become late. */
export function repeatEffect(draft: Draft, effect: EffectId, attempt: number): void {
  emit(draft, { type: 'effect-repeated', effect, attempt });
  const turn = turnOf(draft.state);
  const activity = turn?.activity;
  if (turn === undefined || activity === undefined) return;
  switch (activity.type) {
    case 'calling-model': {
      const { maxOutputTokens } = activity;
      want(draft, {
        type: 'call-model',
        effect,
        attempt,
        ...optional({ maxOutputTokens }),
      });
      return;
    }
    case 'understanding':
      want(draft, { type: 'understand', effect, attempt });
      return;
    case 'compacting': {
      const { why } = activity;
      const { keep } = turn;
      want(draft, { type: 'summarise', effect, attempt, why, ...optional({ keep }) });
      return;
    }
    case 'prompting-agent':
      want(draft, { type: 'prompt-agent', effect, attempt, prompts: activity.prompts });
      return;
    case 'running-calls':
      for (const progress of activity.calls) {
        if (progress.type !== 'running' || progress.effect !== effect) continue;
        const type = progress.call.facts.runs === 'job' ? 'start-job' : 'run-tool';
        want(draft, { type, effect, attempt, call: progress.call });
      }
      return;
    case 'ready':
    case 'replied':
    case 'reviewing-reply':
    case 'clarifying':
    case 'pausing':
    case 'asking-loop':
    case 'asking-repeat':
      return;
  }
}
