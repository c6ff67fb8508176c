/**
 * A session's usage: tokens, cost and time, by turn, model and day, and each turn's time as spans to draw.
 *
 * 1. The totals equal the state's own `usage`, recounted from the events, plus times.
 * 2. A time runs from an effect's intent to its settlement, whatever happens in between. A turn's end ends all of
 *    its spans.
 * 3. Sub-agents' usage is counted separately by worker, as they report it. `usageReportOf` adds it up.
 */
import type { Event, Recorded } from '../kernel/event.ts';
import { effectIdOf, questionIdOf, type QuestionId, type SessionId } from '../kernel/ids.ts';
import type { AgentReport } from '../kernel/report.ts';
import { currentCallsWith, toolOf } from './current-calls.ts';
import { listAppended, newList } from './persistent-list.ts';
import { chargeOf, noTotals } from './usage-totals.ts';
import { newUsage, spanClosed, spanOpened, spent, spentBy, type TurnUsage, type UsageView } from './usage-view.ts';
import { workersUsedWith } from './worker-usage.ts';

export { newUsage, type UsageView } from './usage-view.ts';

export function usageOf(session: SessionId, events: Iterable<Recorded>): UsageView {
  let view = newUsage(session);
  for (const recorded of events) view = usageWith(view, recorded);
  return view;
}

export function usageWith(given: UsageView, recorded: Recorded): UsageView {
  const { event, seq, at } = recorded;
  const view: UsageView = { ...given, at, calls: currentCallsWith(given.calls, recorded) };
  const effect = effectIdOf(view.session, seq);
  switch (event.type) {
    case 'session-created':
    case 'session-forked':
    case 'agent-changed':
      return { ...view, agent: event.agent, answering: undefined };
    case 'turn-started':
      return withTurn(view, recorded);
    case 'model-call-intended': {
      const begun: UsageView = { ...view, modelCall: { effect, reserved: event.reserved, isCharged: false } };
      return spanOpened(spent(begun, at, { steps: 1 }), effect, { type: 'model', from: at, model: modelOf(view) });
    }
    case 'model-settled':
      return withReply(view, at, event);
    case 'understanding-intended': {
      const begun: UsageView = { ...view, modelCall: { effect, reserved: event.reserved, isCharged: false } };
      return spanOpened(begun, effect, { type: 'model', from: at, model: modelOf(view) });
    }
    case 'prompt-understood':
      return withReply(view, at, event);
    case 'compaction-intended': {
      const begun: UsageView = { ...view, modelCall: { effect, reserved: event.reserved, isCharged: false } };
      return spanOpened(begun, effect, { type: 'model', from: at, model: modelOf(view) });
    }
    case 'compaction-settled': {
      const { usage } = event;
      const over = spanClosed({ ...view, modelCall: undefined }, event.effect, at, modelOf(view));
      return usage === undefined ? over : spentBy(over, at, modelOf(view), chargeOf(usage));
    }
    case 'agent-turn-intended': {
      const agent = view.turn?.agent ?? 'unknown';
      const begun: UsageView = { ...view, hasAgentReported: false };
      return spanOpened(spent(begun, at, { steps: 1 }), agentKey, { type: 'agent', from: at, agent });
    }
    case 'agent-reported':
      return withAgentUsage(view, at, event.report);
    case 'agent-turn-settled': {
      const { usage } = event;
      const over = spanClosed(view, agentKey, at);
      if (usage !== undefined) return spentBy(over, at, modelOf(view), chargeOf(usage));
      return view.hasAgentReported ? over : spentBy(over, at, modelOf(view), { unreportedTurns: 1 });
    }
    case 'tool-run-intended':
    case 'job-intended': {
      const tool = toolOf(view.calls, event.call);
      return spanOpened(spent(view, at, { toolCalls: 1 }), callKey(event.call), { type: 'tool', from: at, tool });
    }
    case 'tool-settled': {
      const over = spanClosed(view, callKey(event.call), at);
      return event.sampled === undefined
        ? over
        : spentBy(over, at, event.sampled.model, chargeOf(event.sampled.usage));
    }
    case 'call-refused':
      return spanClosed(view, callKey(event.call), at);
    case 'effect-repeated':
      return event.effect === view.modelCall?.effect ? withModelRepeated(view, at) : view;
    case 'question-opened': {
      const { about } = event;
      const isOfModel = about.type === 'repeat' && about.call === undefined;
      const charged = isOfModel ? withCutOffCharged(view, at) : view;
      const asked = { ...charged, askedSince: view.askedSince ?? at };
      return spanOpened(asked, questionIdOf(view.session, seq), { type: 'person', from: at, about: about.type });
    }
    case 'question-answered':
    case 'question-closed':
      return withQuestionOver(view, event.question, at);
    case 'wait-intended':
      if (event.why !== 'error-pause' && event.why !== 'provider-reset') return view;
      return spanOpened(view, effect, { type: 'pause', from: at, why: event.why });
    case 'wait-ended':
      return spanClosed(view, event.effect, at);
    case 'turn-ended':
      return withTurnOver(view, at, event);
    case 'worker-reported':
      return { ...view, workers: workersUsedWith(view.workers, recorded, event.report) };
    case 'agent-asked':
    case 'agent-asked-again':
    case 'agent-answered':
    case 'agent-setting-chosen':
    case 'agent-setting-settled':
    case 'prompt-received':
    case 'queue-changed':
    case 'prompt-joined':
    case 'turn-interrupted':
    case 'title-changed':
    case 'mode-changed':
    case 'policy-changed':
    case 'limits-changed':
    case 'limit-neared':
    case 'verdict-reached':
    case 'session-recovered':
    case 'files-saved':
    case 'place-moved':
    case 'push-settled':
    case 'calls-described':
    case 'session-imported':
    case 'session-continued':
    case 'session-closed':
    case 'rewound':
    case 'checkpoint-taken':
    case 'restore-intended':
    case 'files-restored':
    case 'restore-failed':
    case 'custom':
      return view;
  }
}

type EventOf<Type extends Event['type']> = Extract<Event, { type: Type }>;

type Settled = EventOf<'model-settled' | 'prompt-understood'>;

const agentKey = 'agent';
const callKey = (call: string): string => `call ${call}`;

function modelOf({ turn }: UsageView): string {
  return turn?.model ?? 'unknown';
}

function withTurn(view: UsageView, { seq, at }: Recorded): UsageView {
  const { name = 'unknown', model = view.answering ?? name } = view.agent ?? {};
  const turn: TurnUsage = { turn: seq, startedAt: at, agent: name, model, totals: noTotals, spans: newList() };
  return spent({ ...view, turn }, at, { turns: 1 });
}

function withReply(view: UsageView, at: number, { effect, outcome }: Settled): UsageView {
  const model = answeringModel(outcome) ?? modelOf(view);
  const answered = { ...view, modelCall: undefined, answering: answeringModel(outcome) ?? view.answering };
  const over = spanClosed(answered, effect, at, model);
  return outcome.usage === undefined ? over : spentBy(over, at, model, chargeOf(outcome.usage));
}

function answeringModel(outcome: Settled['outcome']): string | undefined {
  return 'model' in outcome ? outcome.model : undefined;
}

/** The usage of an interrupted attempt is unknown, so its reserve is charged once. */
function withCutOffCharged(view: UsageView, at: number): UsageView {
  const { modelCall } = view;
  if (modelCall === undefined || modelCall.isCharged) return view;
  const charge = chargeOf({ inputTokens: modelCall.reserved, outputTokens: 0 });
  return spentBy({ ...view, modelCall: { ...modelCall, isCharged: true } }, at, modelOf(view), charge);
}

function withModelRepeated(view: UsageView, at: number): UsageView {
  const charged = withCutOffCharged(view, at);
  return { ...charged, modelCall: charged.modelCall && { ...charged.modelCall, isCharged: false } };
}

function withAgentUsage(view: UsageView, at: number, report: AgentReport): UsageView {
  if (report.type === 'tool-call' && report.counts === true) return spent(view, at, { toolCalls: 1 });
  if (report.type !== 'usage') return view;
  return spentBy({ ...view, hasAgentReported: true }, at, modelOf(view), chargeOf(report.usage));
}

function withQuestionOver(view: UsageView, question: QuestionId, at: number): UsageView {
  const closed = spanClosed(view, question, at);
  const { askedSince } = view;
  if (askedSince === undefined || closed.open.some(({ span }) => span.type === 'person')) return closed;
  return spent({ ...closed, askedSince: undefined }, at, { waitingMs: Math.max(0, at - askedSince) });
}

function withTurnOver(view: UsageView, at: number, { ending }: EventOf<'turn-ended'>): UsageView {
  const over = view.open.reduce((rest, { key }) => spanClosed(rest, key, at), view);
  if (over.turn === undefined) return over;
  const ended = { ...over.turn, ended: { at, ending } };
  return { ...over, turns: listAppended(over.turns, ended), turn: undefined };
}
