import type { AgentRequest } from '../kernel/agent-request.ts';
import type { Event, Recorded } from '../kernel/event.ts';
import type { EffectId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import type { AgentReport } from '../kernel/report.ts';
import { mapEntries, mapWith, newMap, mapValue } from './persistent-map.ts';
import type { AgentCallItem } from './transcript-item.ts';
import { itemId, withChanged, withCurrent, withItem, type Transcript } from './transcript-view.ts';

/** Adds an external agent's report. Its mode, commands and usage aren't part of the conversation. */
export function withReport(view: Transcript, recorded: Recorded, report: AgentReport): Transcript {
  const { seq, at } = recorded;
  const base = { id: itemId(seq), at, ...agentOf(view) };
  switch (report.type) {
    case 'message':
      return withItem(view, { type: 'agent-message', ...base, ...streamOf(report), text: report.text });
    case 'thought':
      return withItem(view, { type: 'agent-thought', ...base, ...streamOf(report), text: report.text });
    case 'tool-call': {
      const { type: _, counts: __, ...content } = report;
      const place = mapValue(view.current.agentCalls, report.call);
      // An update contains only changes.
      if (place !== undefined) return withChanged(view, place, 'agent-call', (item) => ({ ...item, ...content }));
      const agentCalls = mapWith(view.current.agentCalls, report.call, view.items.length);
      return withCurrent(withItem(view, { type: 'agent-call', ...base, ...content }), { agentCalls });
    }
    case 'plan': {
      const { entries } = report;
      const { plan } = view.current;
      if (plan !== undefined) return withChanged(view, plan, 'agent-plan', (item) => ({ ...item, entries }));
      return withCurrent(withItem(view, { type: 'agent-plan', ...base, entries }), { plan: view.items.length });
    }
    case 'notice':
      return withNotice(view, recorded, report.severity, report.text);
    case 'session':
      return report.lost === undefined ? view : withNotice(view, recorded, 'warning', report.lost);
    case 'usage':
    case 'mode':
    case 'options':
    case 'commands':
      return view;
  }
}

/** The agent has reported the call in question, or will. */
export function withAgentRequest(view: Transcript, { seq, at }: Recorded, request: AgentRequest): Transcript {
  if (request.type !== 'permission') return view;
  const { call, key, title } = request;
  const asked = { tool: call.tool, args: call.args };
  const agentRequests = mapWith(view.current.agentRequests, key, call.id);
  const place = mapValue(view.current.agentCalls, call.id);
  if (place !== undefined) {
    const next = withChanged(view, place, 'agent-call', (item) => ({ ...item, asked }));
    return withCurrent(next, { agentRequests });
  }
  const item = { id: itemId(seq), at, ...agentOf(view), call: call.id, ...optional({ title }) };
  const agentCalls = mapWith(view.current.agentCalls, call.id, view.items.length);
  return withCurrent(withItem(view, { type: 'agent-call', ...item, state: 'pending', asked }), {
    agentCalls,
    agentRequests,
  });
}

export function withAgentAnswer(
  view: Transcript,
  { by }: Recorded,
  { key, refused, rule, reason }: Extract<Event, { type: 'agent-answered' }>,
): Transcript {
  const call = mapValue(view.current.agentRequests, key);
  if (call === undefined) return view;
  return withChanged(view, mapValue(view.current.agentCalls, call), 'agent-call', (item) => ({
    ...item,
    decided: {
      by,
      ...optional({ refused, rule, reason }),
    },
  }));
}

/** Ends the agent's turn: it will report nothing more about open calls, and its next turn starts fresh. */
export function withAgentDone(view: Transcript): Transcript {
  const left = mapEntries(view.current.agentCalls).reduce<Transcript>(
    (settled, { value: place }) =>
      withChanged(settled, place, 'agent-call', (item) => (isOver(item) ? item : { ...item, state: 'unknown' })),
    view,
  );
  return withCurrent(left, { agentCalls: newMap(), agentRequests: newMap(), plan: undefined });
}

function withNotice(
  view: Transcript,
  { seq, at, by }: Recorded,
  severity: 'info' | 'warning' | 'error',
  text: string,
): Transcript {
  return withItem(view, {
    type: 'notice',
    id: itemId(seq),
    at,
    by,
    about: { type: 'agent-notice', severity, text },
  });
}

function streamOf({ effect }: { readonly effect?: EffectId }): { readonly effect?: EffectId } {
  return effect === undefined ? {} : { effect };
}

function isOver({ state }: AgentCallItem): boolean {
  return state === 'completed' || state === 'failed';
}

function agentOf({ current }: Transcript): { readonly agent?: string } {
  const agent = current.turn?.agent?.name;
  return agent === undefined ? {} : { agent };
}
