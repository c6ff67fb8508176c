import type { Recorded } from '../kernel/event.ts';
import type { AgentReport } from '../kernel/report.ts';
import { mapEntries, mapWith, newMap, valueAt } from './persistent-map.ts';
import type { AgentCallItem } from './transcript-item.ts';
import { itemId, withChanged, withCurrent, withItem, type Transcript } from './transcript-view.ts';

/** What an external agent says it did. Its mode, commands and usage are no part of the conversation. */
export function withReport(view: Transcript, { seq, at }: Recorded, report: AgentReport): Transcript {
  const base = { id: itemId(seq), at, ...agentOf(view) };
  switch (report.type) {
    case 'message':
      return withItem(view, { type: 'agent-message', ...base, text: report.text });
    case 'thought':
      return withItem(view, { type: 'agent-thought', ...base, text: report.text });
    case 'tool-call': {
      const { type: _, ...said } = report;
      const place = valueAt(view.current.agentCalls, report.call);
      // An update says only what is new.
      if (place !== undefined) return withChanged(view, place, 'agent-call', (item) => ({ ...item, ...said }));
      const agentCalls = mapWith(view.current.agentCalls, report.call, view.items.length);
      return withCurrent(withItem(view, { type: 'agent-call', ...base, ...said }), { agentCalls });
    }
    case 'plan': {
      const { entries } = report;
      const { plan } = view.current;
      if (plan !== undefined) return withChanged(view, plan, 'agent-plan', (item) => ({ ...item, entries }));
      return withCurrent(withItem(view, { type: 'agent-plan', ...base, entries }), { plan: view.items.length });
    }
    case 'usage':
    case 'mode':
    case 'commands':
      return view;
  }
}

/** The agent's turn is over: what it left open will never be told, and its next turn begins anew. */
export function withAgentDone(view: Transcript): Transcript {
  const left = mapEntries(view.current.agentCalls).reduce<Transcript>(
    (settled, { value: place }) =>
      withChanged(settled, place, 'agent-call', (item) => (isOver(item) ? item : { ...item, state: 'unknown' })),
    view,
  );
  return withCurrent(left, { agentCalls: newMap(), plan: undefined });
}

function isOver({ state }: AgentCallItem): boolean {
  return state === 'completed' || state === 'failed';
}

function agentOf({ current }: Transcript): { readonly agent?: string } {
  const agent = current.turn?.agent?.name;
  return agent === undefined ? {} : { agent };
}
