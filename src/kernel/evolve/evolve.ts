/**
 * Applies one recorded event. Replay uses only this, so it makes no choices: the event holds everything a decision
 * depended on. The given state is never changed.
 */
import { addSpending, noSpending, spendingOfReport } from '../budget.ts';
import { uncounted } from '../context.ts';
import type { Recorded } from '../event.ts';
import { evolveAgent } from './evolve-agent.ts';
import { evolveQuestion } from './evolve-question.ts';
import { evolveRestore, restoreIn, withRestore } from './evolve-restore.ts';
import { evolveTurn } from './evolve-turn.ts';
import type { ForkOrigin } from '../input.ts';
import { evolveContinued, evolveImported } from '../imported.ts';
import { withAgentParked } from './prompted-agent.ts';
import { limitsFrom } from '../limits.ts';
import { optional } from '../optional.ts';
import { applyQueueChange } from './queue.ts';
import type { WorkerReport } from '../report.ts';
import { ruleToText, type Rule } from '../rule.ts';
import { turnOf, type State } from '../state.ts';
import { titleOf } from './title.ts';
import { withFacts, withTurn } from './turn-change.ts';

/** The state after one more event. Folding a journal from its first event gives its state. */
export function evolve(state: State, recorded: Recorded): State {
  const next: Mutable<State> = applied(state, recorded);
  const { seq, at } = recorded;
  if (next === state) return { ...state, seq, updatedAt: at };
  // A changed state was created by this call and isn't shared yet, so it can be mutated.
  next.seq = seq;
  next.updatedAt = at;
  return next;
}

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

function applied(state: State, recorded: Recorded): State {
  const { event, seq, at } = recorded;
  switch (event.type) {
    case 'session-created':
    case 'session-forked': {
      const { type: _, agent, mode, cwd, place, machine, title, parent, limits, rules } = event;
      const created: Mutable<State> = {
        ...state,
        createdAt: at,
        agent,
        mode,
        cwd,
        limits: limitsFrom(limits),
        rules: rules ?? state.rules,
        phase: { type: 'idle' },
      };
      if (place !== undefined) created.place = place;
      if (machine !== undefined) created.machine = machine;
      if (title !== undefined) created.title = title;
      if (parent !== undefined) created.parent = parent;
      return event.type === 'session-forked' ? { ...created, ...forkedFrom(event.origin) } : created;
    }
    case 'prompt-received': {
      const prompt = { seq, by: recorded.by, delivery: event.delivery, request: event.request };
      const { request } = event;
      const queue = { ...state.queue, prompts: [...state.queue.prompts, prompt] };
      const title = state.title ?? titleOf(request, state.mode);
      return title === undefined ? { ...state, queue } : { ...state, title, queue };
    }
    case 'queue-changed':
      return { ...state, queue: applyQueueChange(state.queue, event.change) };
    case 'question-opened':
    case 'question-answered':
    case 'question-closed':
      return evolveQuestion(state, recorded, event);
    case 'turn-started':
    case 'prompt-joined':
    case 'model-call-intended':
    case 'model-settled':
    case 'understanding-intended':
    case 'prompt-understood':
    case 'tool-run-intended':
    case 'job-intended':
    case 'tool-settled':
    case 'call-refused':
    case 'compaction-intended':
    case 'compaction-settled':
    case 'wait-intended':
    case 'wait-ended':
    case 'turn-interrupted':
    case 'turn-ended':
      return evolveTurn(state, recorded, event);
    case 'effect-repeated': {
      const restore = restoreIn(state);
      if (restore === undefined) return evolveTurn(state, recorded, event);
      return withRestore(state, { ...restore, attempt: event.attempt });
    }
    case 'agent-turn-intended':
    case 'agent-reported':
    case 'agent-asked':
    case 'agent-asked-again':
    case 'agent-answered':
    case 'agent-setting-chosen':
    case 'agent-setting-settled':
    case 'agent-turn-settled':
      return evolveAgent(state, seq, event);
    case 'agent-changed':
      return event.agent.model === state.agent.model
        ? { ...state, agent: event.agent }
        : { ...state, agent: event.agent, context: uncounted(state.context) };
    case 'title-changed':
      return { ...state, title: event.title };
    case 'mode-changed':
      return { ...state, mode: event.mode };
    case 'policy-changed':
      return { ...state, rules: event.rules, grants: withoutRevoked(state.grants, event.revoked) };
    case 'limits-changed':
      return { ...state, limits: { ...state.limits, ...event.limits } };
    case 'worker-reported':
      // A worker that waits for a person isn't a crash loop, however often its parent resumes before the answer.
      return withWorker(event.report.question === undefined ? state : { ...state, recoveries: 0 }, event.report);
    case 'limit-neared':
      return { ...state, neared: { ...state.neared, [event.name]: event.limit } };
    case 'session-recovered':
      return withAgentParked({ ...state, recoveries: state.recoveries + 1 });
    case 'calls-described':
      return withFacts(state, event.calls);
    case 'files-saved':
      return { ...state, saved: event.saved };
    case 'place-moved': {
      // An external agent keeps its conversation on its node, so it starts a new session and receives all of it.
      const { agentSession: _, place, ...rest } = state;
      const { cwd, home, machine } = event;
      const moved = { ...rest, cwd, ...optional({ machine }) };
      return place === undefined || home === undefined ? moved : { ...moved, place: { ...place, home } };
    }
    case 'push-settled': {
      const { branch, commit } = event;
      return commit === undefined ? state : { ...state, pushed: { branch, commit } };
    }
    case 'session-imported':
      return evolveImported(state, event, seq);
    case 'session-continued':
      return evolveContinued(state, event);
    case 'session-closed':
      return { ...state, queue: { paused: false, prompts: [] }, phase: { type: 'closed' } };
    case 'rewound': {
      // An external agent remembers later messages, so it starts a new session and receives the rest.
      const { agentSession: _, ...rest } = state;
      return { ...rest, context: event.context };
    }
    case 'verdict-reached':
      return event.verdict.verdict === 'looping' ? withLoopWarned(state) : state;
    case 'restore-intended':
    case 'checkpoint-taken':
    case 'files-restored':
    case 'restore-failed':
      return evolveRestore(state, recorded, event);
    case 'custom':
      return state;
  }
}

function forkedFrom({ session, at, context }: ForkOrigin): Pick<State, 'origin' | 'context'> {
  return { origin: { session, at }, context };
}

function withLoopWarned(state: State): State {
  const turn = turnOf(state);
  if (turn === undefined) return state;
  return withTurn(state, () => ({ ...turn, loop: { seen: turn.loop?.seen ?? [], warned: true } }));
}

/** Keeps only live workers. The journal has the ended ones, and the sum their usage. */
function withWorker(state: State, report: WorkerReport): State {
  const others = state.workers.filter((worker) => worker.id !== report.worker);
  const live = state.workers.find((worker) => worker.id === report.worker);
  const isLive = report.state === 'spawned' || report.state === 'progressed' || report.state === 'stalled';
  if (isLive) {
    const allotment = report.allotment ?? live?.allotment;
    const spent = report.usage === undefined ? live?.spent : spendingOfReport(report);
    const worker = {
      id: report.worker,
      state: report.state,
      ...optional({ allotment, spent }),
    };
    return { ...state, workers: [...others, worker] };
  }
  if (report.usage === undefined && report.toolCalls === undefined) return { ...state, workers: others };
  const childSpending = addSpending(state.childSpending ?? noSpending, spendingOfReport(report));
  return { ...state, workers: others, childSpending };
}

function withoutRevoked(grants: readonly Rule[], revoked: readonly string[] = []): readonly Rule[] {
  return revoked.length === 0 ? grants : grants.filter((grant) => !revoked.includes(ruleToText(grant)));
}
