import type { Call } from './call.ts';
import type { Draft } from './draft.ts';
import { judge, type Judgement } from './permission.ts';
import { turnOf, type State } from './state.ts';

/** What the gate says of a call under the session's rules as they are now; asked again at once, it is remembered. */
export function judgeNow(draft: Draft, call: Call): Judgement {
  const { state, judged } = draft;
  if (judged !== undefined && judged.state === state && judged.call === call) return judged.judgement;
  const judgement = judgeUnder(state, call);
  draft.judged = { state, call, judgement };
  return judgement;
}

function judgeUnder(state: State, call: Call): Judgement {
  const turn = turnOf(state);
  // A turn's own rules narrow; whatever they say, they allow nothing.
  const narrowing = turn?.rules?.filter((rule) => rule.verdict !== 'allow');
  const rules = narrowing === undefined || narrowing.length === 0 ? state.rules : [...state.rules, ...narrowing];
  return judge(call, { rules, grants: state.grants, tools: turn?.agent.tools ?? 'all' }, state.mode);
}
