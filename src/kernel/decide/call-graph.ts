import type { Call, CallProgress } from '../call.ts';
import { callIdOf } from '../call.ts';
import type { CallId } from '../ids.ts';
import { invariant } from '../invariant.ts';

export function duplicateCall(calls: readonly Call[]): CallId | undefined {
  if (calls.length < 2) return undefined;
  const seen = new Set<CallId>();
  for (const { id } of calls) {
    if (seen.has(id)) return id;
    seen.add(id);
  }
  return undefined;
}

/** Calls that can never become ready, with the reason: they wait for an unknown call or for themselves. */
export function graphProblems(calls: readonly CallProgress[]): ReadonlyMap<CallId, string> {
  if (calls.every((progress) => progress.type === 'settled' || progress.call.after === undefined))
    return noProblems;
  const problems = new Map<CallId, string>();
  const waitsFor = new Map<CallId, readonly CallId[]>();
  for (const progress of calls) {
    waitsFor.set(callIdOf(progress), progress.type === 'settled' ? [] : (progress.call.after ?? []));
  }
  for (const [id, after] of waitsFor) {
    const unknown = after.find((other) => !waitsFor.has(other));
    if (unknown !== undefined)
      problems.set(id, `It waits for the call ${unknown}, which is not part of this reply.`);
  }
  for (const id of waitsFor.keys()) {
    if (!problems.has(id) && isBehindItself(id, waitsFor)) {
      problems.set(id, 'It waits, directly or through others, for itself.');
    }
  }
  return problems;
}

const noProblems: ReadonlyMap<CallId, string> = new Map();

function isBehindItself(start: CallId, waitsFor: ReadonlyMap<CallId, readonly CallId[]>): boolean {
  const seen = new Set<CallId>();
  const pending = [...(waitsFor.get(start) ?? [])];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (id === start) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    pending.push(...(waitsFor.get(id) ?? []));
  }
  return false;
}

/**
 * The calls that may start now: their `after` calls have ended, nothing exclusive runs, and order is kept around
 * exclusive calls. A failed or refused call counts as ended.
 */
export function readyCalls(calls: readonly CallProgress[]): readonly StartableCall[] {
  const open = calls.filter((progress) => progress.type !== 'settled');
  const [only] = open;
  if (only === undefined) return none;
  if (open.length === 1 && only.call.after === undefined) return isStartable(only) ? [only] : none;
  const openIds = new Set(open.map(({ call }) => call.id));
  const started = open.filter(({ type }) => type === 'running' || type === 'unsure');
  const exclusiveRuns = started.some(isExclusive);
  const ready: StartableCall[] = [];
  let exclusiveWaits = false;
  let place = -1;
  for (const progress of inOrder(open, openIds)) {
    place += 1;
    const isInTurn = isExclusive(progress)
      ? place === 0 && started.length === 0
      : !exclusiveWaits && !exclusiveRuns;
    if (isStartable(progress) && isInTurn && !waitsForOneOf(progress, openIds)) ready.push(progress);
    exclusiveWaits ||= isExclusive(progress);
  }
  return ready;
}

export type StartableCall = Extract<CallProgress, { type: 'planned' | 'granted' }>;
const none: readonly StartableCall[] = [];
type OpenCall = Exclude<CallProgress, { type: 'settled' }>;

/**
 * In listed order, but after the calls each one waits for. A single order keeps `after` and `exclusive` from
 * deadlocking.
 */
function inOrder(open: readonly OpenCall[], openIds: ReadonlySet<CallId>): readonly OpenCall[] {
  if (open.every(({ call }) => call.after === undefined)) return open;
  const ahead = new Set(openIds);
  const rest = [...open];
  const ordered: OpenCall[] = [];
  while (rest.length > 0) {
    const next = rest.findIndex((progress) => !waitsForOneOf(progress, ahead));
    invariant(next !== -1, 'E6: calls that wait for themselves have been refused');
    for (const progress of rest.splice(next, 1)) {
      ordered.push(progress);
      ahead.delete(progress.call.id);
    }
  }
  return ordered;
}

function waitsForOneOf({ call }: OpenCall, ids: ReadonlySet<CallId>): boolean {
  return call.after?.some((id) => ids.has(id)) ?? false;
}

function isStartable(progress: OpenCall): progress is StartableCall {
  return progress.type === 'planned' || progress.type === 'granted';
}

function isExclusive({ call }: OpenCall): boolean {
  return call.facts.order === 'exclusive';
}
