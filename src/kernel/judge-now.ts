import type { Call } from './call.ts';
import type { Draft } from './draft.ts';
import { judge, type Judgement } from './permission.ts';
import { turnOf } from './state.ts';

/** What the gate says of a call under the session's rules as they are now. */
export function judgeNow({ state }: Draft, call: Call): Judgement {
  const turn = turnOf(state);
  // A turn's own rules narrow; whatever they say, they allow nothing.
  const narrowing = (turn?.rules ?? []).filter((rule) => rule.verdict !== 'allow');
  const rules = narrowing.length === 0 ? state.rules : [...state.rules, ...narrowing];
  return judge(call, { rules, grants: state.grants, tools: turn?.agent.tools ?? 'all' }, state.mode);
}
