/** Invariants of any journal, whatever happened to the processes that wrote it. */
import { isDeepStrictEqual } from 'node:util';

import type { Journal } from '../ports/journal.ts';
import type { Recorded } from '../kernel/event.ts';
import { evolve } from '../kernel/evolve/evolve.ts';
import { effectIdOf, type SessionId } from '../kernel/ids.ts';
import { brokenInvariants } from '../kernel/decide/invariants.ts';
import { newState, type State } from '../kernel/state.ts';

/** All events of a session. */
export async function readWholeJournal(journal: Journal, session: SessionId): Promise<readonly Recorded[]> {
  const events: Recorded[] = [];
  for (;;) {
    const page = await journal.read(session, { after: events.at(-1)?.seq ?? 0 });
    if (page.damage !== undefined) throw new Error(`journal of ${session} is damaged at ${page.damage.seq}`);
    events.push(...page.events);
    if (page.events.length === 0 || (events.at(-1)?.seq ?? 0) >= page.last) return events;
  }
}

/** All problems of a session's journal, as text; empty if it is sound. */
export function journalProblems(session: SessionId, events: readonly Recorded[], live?: State): readonly string[] {
  const problems: string[] = [];
  let state = newState(session);
  for (const [index, recorded] of events.entries()) {
    if (recorded.seq !== index + 1) problems.push(`event ${index + 1} has the sequence ${recorded.seq}`);
    state = evolve(state, recorded);
  }
  problems.push(...brokenInvariants(state).map((rule) => `the folded state breaks ${rule}`));
  if (live !== undefined && !isDeepStrictEqual(state, live)) problems.push('the live state differs from the fold');
  return [...problems, ...settlementProblems(session, events)];
}

/** Every intended effect is settled at most once, and only intended effects are settled. */
function settlementProblems(session: SessionId, events: readonly Recorded[]): readonly string[] {
  const problems: string[] = [];
  const openCalls = new Map<string, number>();
  const settled = new Set<string>();
  let restore: number | undefined;
  for (const { seq, event } of events) {
    if (event.type === 'tool-run-intended' || event.type === 'job-intended') {
      if (openCalls.has(event.call))
        problems.push(`call ${event.call} was intended twice, at ${openCalls.get(event.call)} and ${seq}`);
      openCalls.set(event.call, seq);
    } else if (event.type === 'tool-settled' || event.type === 'call-refused') {
      openCalls.delete(event.call);
    } else if (event.type === 'restore-intended') {
      if (restore !== undefined) problems.push(`the restores at ${restore} and ${seq} overlap`);
      restore = seq;
    } else if (event.type === 'files-restored' || event.type === 'restore-failed') {
      // Older journals restored files without an intent, and don't record what changed.
      const isOld = event.type === 'files-restored' && event.changed === undefined;
      if (restore === undefined && !isOld) problems.push(`the restore at ${seq} was settled and never intended`);
      restore = undefined;
    } else if (event.type === 'turn-started' && restore !== undefined) {
      problems.push(`a turn started at ${seq} during the restore of ${restore}`);
    } else if (event.type === 'model-settled' || event.type === 'compaction-settled') {
      if (settled.has(event.effect)) problems.push(`model call ${event.effect} was settled twice`);
      settled.add(event.effect);
      const intent = events[Number(event.effect.slice(event.effect.lastIndexOf('.') + 1)) - 1];
      const wanted = event.type === 'model-settled' ? 'model-call-intended' : 'compaction-intended';
      if (intent?.event.type !== wanted || effectIdOf(session, intent.seq) !== event.effect) {
        problems.push(`model call ${event.effect} was settled and never intended`);
      }
    }
  }
  return problems;
}
