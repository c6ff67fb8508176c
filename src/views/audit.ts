/**
 * The audit log, in order: people's answers, the policy's verdicts, permission changes, interrupts and recoveries,
 * and unsupervised actions of external agents. Entries are only ever added. Each is named by the sequence of its
 * event.
 */
import type { Actor } from '../kernel/actor.ts';
import type { AgentSetting } from '../kernel/agent-setting.ts';
import type { AgentRef } from '../kernel/agent.ts';
import type { Event, Recorded, RefusalCode } from '../kernel/event.ts';
import { questionIdOf, type CallId, type EffectId, type QuestionId, type SessionId } from '../kernel/ids.ts';
import type { Limits } from '../kernel/limits.ts';
import type { Ending } from '../kernel/outcome.ts';
import type { Answer, ClosingReason, QuestionSubject } from '../kernel/question.ts';
import type { AgentReport } from '../kernel/report.ts';
import type { Rule } from '../kernel/rule.ts';
import type { LivenessVerdict } from '../kernel/verdict.ts';
import { callPartOf, currentCallsWith, newCurrentCalls, toolOf, type CurrentCalls } from './current-calls.ts';
import { listAppended, newList, type PersistentList } from './persistent-list.ts';
import { mapWith, newMap, mapValue, type PersistentMap } from './persistent-map.ts';
import { optional } from '../kernel/optional.ts';

interface Audit {
  readonly session: SessionId;
  readonly entries: PersistentList<AuditEntry>;
  readonly calls: CurrentCalls;
  readonly questions: readonly OpenedQuestion[];
  /** True if the current turn's stop is recorded. The turn's end then adds nothing. */
  readonly isStopping: boolean;
  /** The last reported state of each call in the external agent's current turn. */
  readonly reported: PersistentMap<ToolReport['state']>;
  /** Calls that the agent asked about in its current turn, by request key. */
  readonly asked: PersistentMap<{ readonly call: CallId; readonly tool: string }>;
}

export interface AuditEntry {
  readonly seq: number;
  readonly at: number;
  readonly by: Actor;
  readonly decided: Decided;
}

type Decided =
  | {
      readonly type: 'session-created' | 'session-forked';
      readonly agent: AgentRef;
      readonly mode: string;
      readonly rules: readonly Rule[];
    }
  | ({ readonly type: 'question-answered'; readonly answer: Answer } & Asked)
  | ({ readonly type: 'question-closed'; readonly reason: ClosingReason } & Asked)
  | {
      readonly type: 'call-allowed';
      readonly call: CallId;
      readonly tool: string;
      /** What it is about: a path, or the most dangerous part of a command. */
      readonly part?: string;
      readonly rule?: string;
    }
  | {
      readonly type: 'call-refused';
      readonly call: CallId;
      readonly tool: string;
      readonly part?: string;
      readonly code: RefusalCode;
      readonly reason: string;
      readonly rule?: string;
    }
  | { readonly type: 'agent-changed'; readonly agent: AgentRef }
  | { readonly type: 'mode-changed'; readonly mode: string }
  /** One of an external agent's own modes or options. */
  | { readonly type: 'agent-setting-chosen'; readonly setting: AgentSetting }
  | { readonly type: 'policy-changed'; readonly rules: readonly Rule[] }
  | { readonly type: 'limits-changed'; readonly limits: Partial<Limits> }
  /** A person, a limit or a timeout ended the turn early. */
  | { readonly type: 'turn-stopped'; readonly ending: Ending }
  /** A problem that the liveness watch found, and its reaction. */
  | ({ readonly type: 'verdict-reached' } & LivenessVerdict)
  | { readonly type: 'recovered'; readonly epoch: number }
  | Extract<Event, { type: 'place-moved' | 'push-settled' }>
  | { readonly type: 'repeated'; readonly effect: EffectId; readonly attempt: number }
  /** The history up to here was imported from a bundle. */
  | { readonly type: 'imported'; readonly session: SessionId; readonly head: number }
  /** A person chose the setup of an imported session. */
  | {
      readonly type: 'continued';
      readonly agent: AgentRef;
      readonly mode: string;
      readonly rules: readonly Rule[];
    }
  | { readonly type: 'closed'; readonly reason?: string }
  /** The conversation or the files were rewound to an earlier event. */
  | { readonly type: 'rewound' | 'files-restored'; readonly to: number }
  | { readonly type: 'restore-failed'; readonly to: number; readonly message: string }
  /** An external agent ran this without asking. */
  | ({ readonly type: 'unsupervised' } & Omit<ToolReport, 'type' | 'content' | 'diffs' | 'counts'>);

interface Asked {
  readonly question: QuestionId;
  readonly about?: QuestionSubject;
  readonly openedAt?: number;
}

interface OpenedQuestion {
  readonly id: QuestionId;
  readonly about: QuestionSubject;
  readonly at: number;
}

type ToolReport = Extract<AgentReport, { type: 'tool-call' }>;

export function newAudit(session: SessionId): Audit {
  return {
    session,
    entries: newList(),
    calls: newCurrentCalls(),
    questions: [],
    isStopping: false,
    reported: newMap(),
    asked: newMap(),
  };
}

export function auditOf(session: SessionId, events: Iterable<Recorded>): Audit {
  let view = newAudit(session);
  for (const recorded of events) view = auditWith(view, recorded);
  return view;
}

export function auditWith(given: Audit, recorded: Recorded): Audit {
  const { seq, at, by, event } = recorded;
  const view: Audit = { ...given, calls: currentCallsWith(given.calls, recorded) };
  const decided = decidedBy(view, event);
  const grown =
    decided === undefined ? view : { ...view, entries: listAppended(view.entries, { seq, at, by, decided }) };
  return remembering(grown, recorded);
}

function decidedBy(view: Audit, event: Event): Decided | undefined {
  switch (event.type) {
    case 'session-created':
    case 'session-forked':
      return { type: event.type, agent: event.agent, mode: event.mode.name, rules: event.rules ?? [] };
    case 'question-answered':
      return { type: event.type, ...askedIn(view, event.question), answer: event.answer };
    case 'question-closed':
      return { type: event.type, ...askedIn(view, event.question), reason: event.reason };
    case 'tool-run-intended':
    case 'job-intended': {
      const { call } = event;
      const rule = event.type === 'job-intended' ? undefined : event.rule;
      return {
        type: 'call-allowed',
        call,
        tool: toolOf(view.calls, call),
        ...optional({ part: callPartOf(view.calls, call), rule }),
      };
    }
    case 'call-refused':
      return {
        ...event,
        tool: toolOf(view.calls, event.call),
        ...optional({ part: callPartOf(view.calls, event.call) }),
      };
    case 'agent-changed':
      return { type: event.type, agent: event.agent };
    case 'mode-changed':
      return { type: event.type, mode: event.mode.name };
    case 'agent-setting-chosen':
    case 'policy-changed':
    case 'limits-changed':
      return event;
    case 'turn-interrupted':
    case 'turn-ended': {
      const { ending } = event;
      return ending.type === 'completed' || view.isStopping ? undefined : { type: 'turn-stopped', ending };
    }
    case 'verdict-reached':
      return { type: 'verdict-reached', ...event.verdict };
    case 'rewound':
    case 'files-restored':
      return { type: event.type, to: event.to };
    case 'restore-failed':
      return event;
    case 'session-recovered':
      return { type: 'recovered', epoch: event.epoch };
    case 'place-moved':
    case 'push-settled':
      return event;
    case 'effect-repeated':
      return { type: 'repeated', effect: event.effect, attempt: event.attempt };
    case 'session-imported': {
      const { session, head } = event;
      return { type: 'imported', session, head };
    }
    case 'session-continued':
      return { type: 'continued', agent: event.agent, mode: event.mode.name, rules: event.rules ?? [] };
    case 'session-closed':
      return { type: 'closed', ...optional({ reason: event.reason }) };
    case 'agent-reported':
      return unsupervised(view, event.report);
    case 'agent-answered':
      return agentAnswered(view, event);
    case 'agent-asked':
    case 'agent-asked-again':
    case 'agent-setting-settled':
    case 'title-changed':
    case 'prompt-received':
    case 'queue-changed':
    case 'turn-started':
    case 'prompt-joined':
    case 'model-call-intended':
    case 'model-settled':
    case 'understanding-intended':
    case 'prompt-understood':
    case 'tool-settled':
    case 'agent-turn-intended':
    case 'agent-turn-settled':
    case 'question-opened':
    case 'wait-intended':
    case 'wait-ended':
    case 'calls-described':
    case 'worker-reported':
    case 'limit-neared':
    case 'compaction-intended':
    case 'compaction-settled':
    case 'checkpoint-taken':
    case 'files-saved':
    case 'restore-intended':
    case 'custom':
      return undefined;
  }
}

/** Remembers data that later entries refer to. */
function remembering(view: Audit, { event, seq, at }: Recorded): Audit {
  switch (event.type) {
    case 'question-opened': {
      const opened = { id: questionIdOf(view.session, seq), about: event.about, at };
      return { ...view, questions: [...view.questions, opened] };
    }
    case 'question-answered':
    case 'question-closed':
      return { ...view, questions: view.questions.filter(({ id }) => id !== event.question) };
    case 'agent-reported': {
      const { report } = event;
      if (report.type !== 'tool-call') return view;
      return { ...view, reported: mapWith(view.reported, report.call, report.state) };
    }
    case 'agent-asked': {
      const { request } = event;
      if (request.type !== 'permission') return view;
      const { id, tool } = request.call;
      return { ...view, asked: mapWith(view.asked, request.key, { call: id, tool }) };
    }
    case 'agent-turn-intended':
      return { ...view, reported: newMap(), asked: newMap() };
    case 'turn-interrupted':
      return { ...view, isStopping: true };
    case 'turn-ended':
      return { ...view, isStopping: false };
    default:
      return view;
  }
}

/** A call that an agent asked about is judged like our own calls. A form is covered by its question's entry. */
function agentAnswered({ asked }: Audit, event: Extract<Event, { type: 'agent-answered' }>): Decided | undefined {
  const request = mapValue(asked, event.key);
  if (request === undefined) return undefined;
  const { call, tool } = request;
  const rule = event.rule === undefined ? {} : { rule: event.rule };
  const { refused } = event;
  if (refused === undefined) return { type: 'call-allowed', call, tool, ...rule };
  return { type: 'call-refused', call, tool, code: refused, reason: event.reason ?? '', ...rule };
}

/** One entry per step that the agent reports, not per piece of output. */
function unsupervised({ reported }: Audit, report: AgentReport): Decided | undefined {
  if (report.type !== 'tool-call' || mapValue(reported, report.call) === report.state) return undefined;
  const { type: _, content: __, diffs: ___, counts: ____, ...facts } = report;
  return { type: 'unsupervised', ...facts };
}

function askedIn({ questions }: Audit, question: QuestionId): Asked {
  const opened = questions.find(({ id }) => id === question);
  return opened === undefined ? { question } : { question, about: opened.about, openedAt: opened.at };
}
