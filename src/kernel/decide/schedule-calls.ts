/**
 * Advances the calls of one reply or task as far as possible.
 *
 * 1. The gate judges every call before it starts. Questions open together, not one after another.
 * 2. Calls run in parallel if they are marked safe for it, otherwise in order; `after` overrides both.
 * 3. At most `callsInFlight` run at once, higher priority first.
 */

import { reachedToolLimit } from '../budget.ts';
import { graphProblems, readyCalls, type StartableCall } from './call-graph.ts';
import type { Call, CallProgress } from '../call.ts';
import { emit, want, type Draft } from './draft.ts';
import { endTurn, limitEnding } from './end-turn.ts';
import { judgeNow } from './judge-now.ts';
import { openQuestion } from './open-question.ts';
import { approvalFacts } from '../policy/permission.ts';
import { turnOf } from '../state.ts';

/**
 * Returns whether anything was decided. Denials come before questions, questions before runs, and each is counted
 * before the next.
 */
export function scheduleCalls(draft: Draft, calls: readonly CallProgress[]): boolean {
  if (refuseUnfit(draft, calls)) return true;
  if (isOutOfCalls(draft, calls)) {
    // Calls that started within the limit may finish.
    if (calls.some(({ type }) => type === 'running' || type === 'unsure')) return false;
    endTurn(draft, limitEnding('tool-calls', reachedToolLimit(draft.state) ?? 0));
    return true;
  }
  return askAbout(draft, calls) || launchReady(draft);
}

/** Rules may have changed since a call was judged or granted; a denial still applies. */
function refuseUnfit(draft: Draft, calls: readonly CallProgress[]): boolean {
  const problems = graphProblems(calls);
  const before = draft.events.length;
  for (const progress of calls) {
    if (progress.type === 'settled') continue;
    const { call } = progress;
    const reason = problems.get(call.id);
    if (reason !== undefined) emit(draft, { type: 'call-refused', call: call.id, code: 'graph', reason });
    else if (progress.type === 'planned' || progress.type === 'granted') refuseDenied(draft, call);
  }
  return draft.events.length > before;
}

function refuseDenied(draft: Draft, call: Call): void {
  const { problem, asks } = call.facts;
  if (problem !== undefined) {
    emit(draft, { type: 'tool-settled', call: call.id, result: { type: 'error', ...problem } });
    return;
  }
  const { verdict, rule, reason } = judgeNow(draft, call);
  if (verdict === 'deny') {
    emit(draft, { type: 'call-refused', call: call.id, code: 'policy', reason, rule });
  } else if (asks !== undefined && draft.state.mode.asks === 'nobody') {
    const message = 'Nobody can be asked in this mode. Decide for yourself or end with what is missing.';
    emit(draft, {
      type: 'tool-settled',
      call: call.id,
      result: { type: 'error', code: 'nobody-to-ask', message },
    });
  }
}

function isOutOfCalls(draft: Draft, calls: readonly CallProgress[]): boolean {
  if (reachedToolLimit(draft.state) === undefined) return false;
  return calls.some(
    (progress) =>
      progress.type === 'granted' || (progress.type === 'planned' && progress.call.facts.asks === undefined),
  );
}

function askAbout(draft: Draft, calls: readonly CallProgress[]): boolean {
  const before = draft.events.length;
  for (const progress of calls) {
    if (progress.type !== 'planned') continue;
    const { call } = progress;
    const { asks } = call.facts;
    const judged = judgeNow(draft, call);
    if (asks !== undefined) openQuestion(draft, { ...asks, call: call.id });
    else if (judged.verdict === 'ask') {
      openQuestion(draft, { type: 'approval', call: call.id, ...approvalFacts(call, judged) });
    }
  }
  return draft.events.length > before;
}

function launchReady(draft: Draft): boolean {
  const before = draft.events.length;
  for (;;) {
    const { limits } = draft.state;
    const calls = currentCalls(draft);
    const running = calls.filter((progress) => progress.type === 'running').length;
    const next = nextReady(calls);
    // A limit below one would block the turn forever.
    const isFull = running >= Math.max(1, limits.callsInFlight);
    if (next === undefined || isFull || reachedToolLimit(draft.state) !== undefined) break;
    launch(draft, next.call);
  }
  return draft.events.length > before;
}

function nextReady(calls: readonly CallProgress[]): StartableCall | undefined {
  let best: StartableCall | undefined;
  for (const progress of readyCalls(calls)) {
    if (best === undefined || (progress.call.priority ?? 0) > (best.call.priority ?? 0)) best = progress;
  }
  return best;
}

function launch(draft: Draft, call: Call): void {
  const { repeat, runs } = call.facts;
  if (runs === 'job') {
    const effect = emit(draft, { type: 'job-intended', call: call.id });
    return want(draft, { type: 'start-job', effect, attempt: 1, call });
  }
  const { rule } = judgeNow(draft, call);
  const effect = emit(draft, { type: 'tool-run-intended', call: call.id, repeat, rule });
  want(draft, { type: 'run-tool', effect, attempt: 1, call });
}

function currentCalls(draft: Draft): readonly CallProgress[] {
  const activity = turnOf(draft.state)?.activity;
  return activity?.type === 'running-calls' ? activity.calls : [];
}
