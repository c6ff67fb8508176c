import type { Call } from '../call.ts';
import type { Draft } from './draft.ts';
import { judge, type Judgement } from '../policy/permission.ts';
import { turnOf, type State } from '../state.ts';

/** The gate's verdict on a call under the session's current rules, cached for this state. */
export function judgeNow(draft: Draft, call: Call): Judgement {
  const { state, judged } = draft;
  if (judged !== undefined && judged.state === state && judged.call === call) return judged.judgement;
  const judgement = judgeCall(state, call);
  draft.judged = { state, call, judgement };
  return judgement;
}

/** The same verdict, for what isn't a call of the turn. */
export function judgeCall(state: State, call: Call): Judgement {
  const turn = turnOf(state);
  // A turn's own rules only narrow; an allow among them has no effect.
  const narrowing = turn?.rules?.filter((rule) => rule.verdict !== 'allow');
  const rules = narrowing === undefined || narrowing.length === 0 ? state.rules : [...state.rules, ...narrowing];
  return judge(call, { rules, grants: state.grants, tools: turn?.agent.tools ?? 'all' }, state.mode);
}
