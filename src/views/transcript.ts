/**
 * The conversation as people see it, folded from the journal.
 *
 * 1. An item keeps its id and position. Unsettled text and waiting prompts are kept beside the items, not among
 *    them.
 * 2. An event costs the same however long the conversation is: `items` shares everything unchanged.
 * 3. A fold may start anywhere: it skips an event that refers to something earlier, and a report that would have
 *    updated an earlier item opens a new one.
 */
import type { Body } from '../kernel/content.ts';
import type { SummaryOutcome } from '../kernel/context.ts';
import type { Event, Recorded } from '../kernel/event.ts';
import { effectIdOf, seqOfEffect, type SessionId } from '../kernel/ids.ts';
import type { ModelOutcome } from '../kernel/input.ts';
import { optional } from '../kernel/optional.ts';
import type { WorkerReport } from '../kernel/report.ts';
import { argumentsOf } from './call-arguments.ts';
import { withAgentAnswer, withAgentDone, withAgentRequest, withReport } from './transcript-agent.ts';
import {
  withPlannedCalls,
  withRefused,
  withRepeated,
  withAddedCalls,
  withResult,
  withStarted,
} from './transcript-calls.ts';
import type { MessageItem, Notice, NoticeItem } from './transcript-item.ts';
import { waitingChanged, withTaken } from './transcript-prompts.ts';
import { withAnswer, withClosed, withQuestion } from './transcript-questions.ts';
import { itemId, newTranscript, withChanged, withCurrent, withItem, type Transcript } from './transcript-view.ts';

export { newTranscript, type Transcript } from './transcript-view.ts';

export function transcriptOf(session: SessionId, events: Iterable<Recorded>): Transcript {
  let view = newTranscript(session);
  for (const recorded of events) view = transcriptWith(view, recorded);
  return view;
}

export function transcriptWith(given: Transcript, recorded: Recorded): Transcript {
  const { event, seq, at, by } = recorded;
  const view: Transcript = { ...given, seq };
  const noticed = (about: Notice): Transcript => withItem(view, notice(recorded, about));
  switch (event.type) {
    case 'session-created':
      return withCurrent(view, { agent: event.agent });
    case 'session-forked': {
      const { session: origin, at: point } = event.origin;
      return withCurrent(noticed({ type: 'forked', origin, at: point }), { agent: event.agent });
    }
    case 'prompt-received': {
      const { request, delivery } = event;
      return { ...view, waiting: [...view.waiting, { seq, at, by, delivery, request }] };
    }
    case 'queue-changed':
      return { ...view, waiting: waitingChanged(view.waiting, recorded, event.change) };
    case 'turn-started': {
      const turn = { id: seq, startedAt: at, agent: view.current.agent };
      return withTaken(withCurrent(view, { turn }), recorded, event.prompt, 'turn-started');
    }
    case 'prompt-joined':
      return withTaken(view, recorded, event.prompt, 'joined');
    case 'model-call-intended':
      return { ...view, writing: { effect: effectIdOf(view.session, seq), since: at, attempt: 1 } };
    case 'model-settled':
      return withReply(view, recorded, event);
    case 'tool-run-intended':
      return withStarted(view, event.call, recorded, event.rule);
    case 'job-intended':
      return withStarted(view, event.call, recorded, undefined);
    case 'tool-settled':
      return withAddedCalls(withResult(view, event.call, event.result, at), event.followUps ?? [], recorded);
    case 'call-refused':
      return withRefused(view, event, at);
    case 'agent-reported':
      return withReport(view, recorded, event.report);
    case 'agent-asked':
      return withAgentRequest(view, recorded, event.request);
    case 'agent-answered':
      return withAgentAnswer(view, recorded, event);
    case 'agent-turn-settled':
      return withAgentDone(view);
    case 'effect-repeated': {
      const { writing } = view;
      if (writing?.effect === event.effect) return { ...view, writing: { ...writing, attempt: event.attempt } };
      return withRepeated(view, seqOfEffect(event.effect), event.attempt);
    }
    case 'question-opened':
      return withQuestion(view, recorded, event);
    case 'question-answered':
      return withAnswer(view, recorded, event);
    case 'question-closed':
      return withClosed(view, event.question, { type: event.reason, by, at });
    case 'wait-intended': {
      // The other waits are limits in the background.
      if (event.why !== 'error-pause' && event.why !== 'provider-reset') return view;
      const pause = { effect: effectIdOf(view.session, seq), place: view.items.length };
      return withCurrent(noticed({ type: 'waiting', why: event.why, until: event.until }), { pause });
    }
    case 'wait-ended':
      return view.current.pause?.effect === event.effect ? withPauseOver(view, at) : view;
    case 'turn-interrupted':
      return noticed({ type: 'interrupted', ending: event.ending });
    case 'turn-ended':
      return withEnding(view, recorded, event);
    case 'agent-changed': {
      const { name, model } = event.agent;
      const about: Notice = { type: 'agent-changed', agent: name, ...optional({ model }) };
      return withCurrent(noticed(about), { agent: event.agent });
    }
    case 'title-changed':
      return view;
    case 'mode-changed':
      return noticed({ type: 'mode-changed', mode: event.mode.name });
    case 'agent-setting-chosen':
      return noticed(event);
    case 'agent-setting-settled': {
      if (event.outcome.type === 'taken') return view;
      return noticed({ type: 'agent-notice', severity: 'warning', text: event.outcome.message });
    }
    case 'policy-changed':
      return noticed({ type: 'policy-changed', rules: event.rules });
    case 'limits-changed':
      return noticed({ type: 'limits-changed', limits: event.limits });
    case 'worker-reported':
      return withWorkerReport(view, recorded, event.report);
    case 'session-recovered':
      return noticed({ type: 'recovered', epoch: event.epoch });
    case 'session-imported':
      return { ...noticed({ type: 'imported', session: event.session }), waiting: [] };
    case 'session-continued': {
      const about: Notice = { type: 'continued', agent: event.agent.name, cwd: event.cwd };
      return withCurrent(noticed(about), { agent: event.agent });
    }
    case 'session-closed': {
      const closed = noticed({ type: 'closed', ...optional({ reason: event.reason }) });
      return { ...closed, waiting: [] };
    }
    case 'compaction-settled':
      return noticed(compactionNotice(event.outcome));
    case 'rewound':
    case 'files-restored':
      return noticed({
        type: event.type,
        to: event.to,
        ...(event.type === 'files-restored' && restoredCount(event.changed)),
      });
    case 'place-moved':
    case 'push-settled':
    case 'restore-failed':
    case 'limit-neared':
      return noticed(event);
    case 'verdict-reached':
      return noticed({ type: 'verdict-reached', ...event.verdict });
    case 'calls-described':
    case 'compaction-intended':
    case 'checkpoint-taken':
    case 'files-saved':
    case 'restore-intended':
    case 'understanding-intended':
    case 'prompt-understood':
    case 'agent-turn-intended':
    case 'agent-asked-again':
    case 'custom':
      return view;
  }
}

function compactionNotice(outcome: SummaryOutcome): Notice {
  switch (outcome.type) {
    case 'completed':
      return { type: 'compacted', outcome: 'completed', summary: outcome.summary };
    case 'failed': {
      const { message, rest } = outcome;
      return { type: 'compacted', outcome: rest === undefined ? 'failed' : 'left-out', message };
    }
    case 'unneeded':
      return { type: 'compacted', outcome: 'unneeded', message: outcome.message };
    case 'cancelled':
      return { type: 'compacted', outcome: 'cancelled' };
  }
}

type EventOf<Type extends Event['type']> = Extract<Event, { type: Type }>;

function withReply(
  view: Transcript,
  { seq, at }: Recorded,
  { effect, outcome }: EventOf<'model-settled'>,
): Transcript {
  const { writing } = view;
  const settled = { ...view, writing: undefined };
  const spoken = isWorthSaying(outcome) ? withItem(settled, message()) : settled;
  const calls = outcome.type === 'completed' ? outcome.calls : [];
  return calls.length === 0 ? spoken : withPlannedCalls(spoken, calls, { seq, at });

  function message(): MessageItem {
    const agent = view.current.turn?.agent;
    const model = (outcome.type === 'completed' ? outcome.model : undefined) ?? agent?.model;
    return {
      type: 'message',
      id: itemId(seq),
      at,
      effect,
      ...optional({ agent: agent?.name, model }),
      attempts: writing?.attempt ?? 1,
      ...(writing !== undefined && { durationMs: Math.max(0, at - writing.since) }),
      ...wordsOf(outcome),
    };
  }
}

/** False for a call that was cancelled before its first word or that produced only tool calls. */
function isWorthSaying(outcome: ModelOutcome): boolean {
  if (outcome.type === 'cancelled') return outcome.partial !== undefined;
  if (outcome.type !== 'completed') return true;
  return outcome.text !== '' || outcome.reasoning !== undefined || outcome.calls.length === 0;
}

function wordsOf(outcome: ModelOutcome): Pick<MessageItem, 'text' | 'reasoning' | 'outcome'> {
  if (outcome.type === 'completed') {
    const { text, reasoning, stop } = outcome;
    return { text, ...optional({ reasoning }), outcome: { type: 'completed', stop } };
  }
  const { partial = '', usage: _, ...rest } = outcome;
  if (rest.type !== 'failed') return { text: partial, outcome: rest };
  const { retryAt: __, ...failed } = rest;
  return { text: partial, outcome: failed };
}

/** Of everything open in a turn, only a pause has no event that ends it. */
function withEnding(view: Transcript, { seq, at, by }: Recorded, { ending }: EventOf<'turn-ended'>): Transcript {
  const { turn } = view.current;
  const ended = withItem(withPauseOver(view, at), {
    type: 'ending',
    id: itemId(seq),
    at,
    by,
    ...(turn !== undefined && { turn: turn.id, durationMs: Math.max(0, at - turn.startedAt) }),
    ending,
  });
  return withCurrent(ended, { turn: undefined });
}

function withPauseOver(view: Transcript, at: number): Transcript {
  const over = withChanged(view, view.current.pause?.place, 'notice', (item) =>
    item.about.type === 'waiting' ? { ...item, about: { ...item.about, endedAt: at } } : item,
  );
  return withCurrent(over, { pause: undefined });
}

/** Skips a report without news, such as a heartbeat. */
function withWorkerReport(view: Transcript, { seq, at }: Recorded, report: WorkerReport): Transcript {
  const { worker, state, text, session } = report;
  const last = view.current.workers.find((earlier) => earlier.worker === worker);
  const isSame = last?.state === state && last.text === text;
  if (isSame || (state === 'progressed' && (text === undefined || text === ''))) return view;
  const others = view.current.workers.filter((earlier) => earlier !== last);
  const isLive = state === 'spawned' || state === 'progressed' || state === 'stalled';
  return withCurrent(
    withItem(view, {
      type: 'worker',
      id: itemId(seq),
      at,
      worker,
      state,
      ...optional({ session, text }),
    }),
    { workers: isLive ? [...others, report] : others },
  );
}

function notice({ seq, at, by }: Recorded, about: Notice): NoticeItem {
  return { type: 'notice', id: itemId(seq), at, by, about };
}

/** How many files changed. Unknown in older journals and for very long lists. */
function restoredCount(changed: Body | undefined): { readonly files?: number } {
  const lists = typeof changed === 'string' ? argumentsOf(changed) : undefined;
  if (lists === undefined) return {};
  const count = (name: string) => (Array.isArray(lists[name]) ? lists[name].length : 0);
  return { files: count('restored') + count('removed') };
}
