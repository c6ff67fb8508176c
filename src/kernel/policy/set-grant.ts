import { callSets, type SetFact } from '../call-set.ts';
import { type Effect, exceeds } from '../effect.ts';
import { optional } from '../optional.ts';
import { ruleToText } from '../rule.ts';

/** The grant for a whole set of calls: `edits [edit]`, `commits [repository]`, `checks [build 3f2a9c41d07e]`. */
export function setGrant({ name, pin }: SetFact, effect: Effect = callSets[name].effect): string {
  // Without hooks, commits run no code.
  const most = name === 'commits' && !exceeds(effect, 'repository') ? 'repository' : callSets[name].effect;
  return ruleToText({
    verdict: 'allow',
    tool: name,
    effect: most,
    ...optional({ pin }),
    origin: 'session',
  });
}
