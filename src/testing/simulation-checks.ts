/** Invariants of a session at the end of a simulation, and of the projections at any time. */
import { isDeepStrictEqual } from 'node:util';

import type { Journal } from '../ports/journal.ts';
import type { Store } from '../ports/store.ts';
import type { Recorded } from '../kernel/event.ts';
import { evolve } from '../kernel/evolve/evolve.ts';
import type { SessionId } from '../kernel/ids.ts';
import { newState, type State } from '../kernel/state.ts';
import { loadSession } from '../session/read/load-session.ts';
import { readConversation } from '../session/read/read-conversation.ts';
import { directoryEntryOf } from '../views/directory.ts';
import { journalProblems, readWholeJournal } from './journal-checks.ts';

/** The directory and the inbox of questions match a fold of the journals. */
export async function projectionProblems(
  journal: Journal,
  sessions: readonly SessionId[],
): Promise<readonly string[]> {
  const states = (
    await Promise.all(sessions.map(async (id) => fold(id, await readWholeJournal(journal, id))))
  ).filter(({ seq }) => seq > 0);
  const problems: string[] = [];
  const { entries } = await journal.list({ limit: sessions.length + 1 });
  const listed = new Map(entries.map((entry) => [entry.session, entry]));
  for (const state of states) {
    if (!isDeepStrictEqual(listed.get(state.id), directoryEntryOf(state))) {
      problems.push(`${state.id}: its directory entry differs from the fold at ${state.seq}`);
    }
  }
  const open = (await journal.openQuestions({})).map(({ id }) => id).toSorted();
  const folded = states.flatMap(({ questions }) => questions.map(({ id }) => id)).toSorted();
  if (!isDeepStrictEqual(open, folded))
    problems.push(`open questions are ${open.join()}, by the folds ${folded.join()}`);
  return problems;
}

/** The session is idle and sound, and cancelled work stayed cancelled. */
export async function restProblems(
  store: Store,
  session: SessionId,
  events: readonly Recorded[],
): Promise<readonly string[]> {
  if (events.length === 0) return [];
  const state = fold(session, events);
  const problems = [...journalProblems(session, events), ...cancelProblems(events), ...unsettledCalls(events)];
  const { phase, waits, questions } = state;
  if (phase.type !== 'idle' && phase.type !== 'closed') problems.push(`it ended in phase ${phase.type}`);
  if (waits.length + questions.length > 0) problems.push(`it waits for ${waits.length + questions.length} things`);
  problems.push(...(await conversationProblems(store, state)));
  const loaded = await loadSession(store.journal, session);
  if (!isDeepStrictEqual(loaded?.state, state)) problems.push('its snapshot and tail differ from the fold');
  return problems;
}

/** The model's messages can be read, and each call in them precedes its result. */
async function conversationProblems(store: Store, { id, context }: State): Promise<readonly string[]> {
  const { conversation } = await readConversation(store, id, context);
  const awaited = new Set<string>();
  const problems: string[] = [];
  for (const message of conversation.messages) {
    if (message.role === 'assistant') for (const call of message.calls) awaited.add(call.id);
    else if (message.role === 'tool' && !awaited.delete(message.call)) {
      problems.push(`[C118] its context has a result of ${message.call} and not the call`);
    }
  }
  if (awaited.size > 0) problems.push(`[C118] its context has no results of ${[...awaited].join()}`);
  return problems;
}

/** [P6] After an interrupt nothing starts, nothing succeeds, and the ending doesn't change. */
function cancelProblems(events: readonly Recorded[]): readonly string[] {
  const problems: string[] = [];
  let cancelled: Extract<Recorded['event'], { type: 'turn-interrupted' }>['ending'] | undefined;
  for (const { seq, event } of events) {
    if (event.type === 'turn-interrupted') cancelled = event.ending;
    else if (event.type === 'turn-ended') {
      if (cancelled !== undefined && !isDeepStrictEqual(event.ending, cancelled)) {
        problems.push(`[P6] event ${seq} ends a turn as ${event.ending.type} that was ${cancelled.type}`);
      }
      cancelled = undefined;
    } else if (cancelled !== undefined && !isCancelledWell(event)) {
      problems.push(`[P6] event ${seq} (${event.type}) came after the turn was ended as ${cancelled.type}`);
    }
  }
  return problems;
}

function isCancelledWell(event: Recorded['event']): boolean {
  switch (event.type) {
    case 'model-call-intended':
    case 'compaction-intended':
    case 'tool-run-intended':
    case 'job-intended':
    case 'turn-started':
    case 'effect-repeated':
      return false;
    case 'model-settled':
    case 'compaction-settled':
      return event.outcome.type === 'cancelled';
    case 'tool-settled':
      return event.result.type === 'cancelled';
    default:
      return true;
  }
}

function unsettledCalls(events: readonly Recorded[]): readonly string[] {
  const open = new Map<string, number>();
  for (const { seq, event } of events) {
    if (event.type === 'tool-run-intended') open.set(event.call, seq);
    else if (event.type === 'tool-settled') open.delete(event.call);
  }
  return [...open].map(([call, seq]) => `[P2] call ${call}, intended at ${seq}, was never settled`);
}

function fold(session: SessionId, events: readonly Recorded[]): State {
  return events.reduce(evolve, newState(session));
}
