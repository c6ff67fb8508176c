/**
 * Sessions as OpenTelemetry spans, named by the GenAI conventions: a turn, and in it each model call, tool run, job
 * and external agent's turn. Built from the recorded events, so spans match the journal and its times.
 *
 * 1. No content: only names, counts, ids and outcomes.
 * 2. Spans left open by a turn end with it. A turn taken over from a dead process has a span from the takeover on.
 */
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
  type Tracer,
} from '@opentelemetry/api';

import type { Recorded } from '../../kernel/event.ts';
import { effectIdOf, type SessionId } from '../../kernel/ids.ts';
import type { ModelOutcome } from '../../kernel/input.ts';
import type { Ending, Usage } from '../../kernel/outcome.ts';
import { turnOf, type State } from '../../kernel/state.ts';
import { currentCallsWith, newCurrentCalls, toolOf, type CurrentCalls } from '../../views/current-calls.ts';

export interface SessionSpans {
  /** Call it for every event of the sessions alive here, with the state after it. */
  saw(session: SessionId, recorded: Recorded, state: State): void;
}

interface Traced {
  readonly turn: Span;
  readonly open: Map<string, Span>;
  calls: CurrentCalls;
}

export function createSessionSpans(tracer: Tracer): SessionSpans {
  const traced = new Map<SessionId, Traced>();

  function beginTurn(session: SessionId, at: number, state: State): Traced {
    const agent = (turnOf(state)?.agent ?? state.agent).name;
    const attributes = { ...operation('invoke_agent', session), 'gen_ai.agent.name': agent };
    const turn = tracer.startSpan(`invoke_agent ${agent}`, { startTime: at, attributes }, ROOT_CONTEXT);
    const begun = { turn, open: new Map<string, Span>(), calls: newCurrentCalls() };
    traced.set(session, begun);
    return begun;
  }

  return {
    saw(session, recorded, state) {
      const { event, at, seq } = recorded;
      const running =
        traced.get(session) ?? (turnOf(state) === undefined ? undefined : beginTurn(session, at, state));
      if (running === undefined) return;
      running.calls = currentCallsWith(running.calls, recorded);
      const { name: agent, model = 'unknown' } = turnOf(state)?.agent ?? state.agent;
      const begin = (key: string, name: string, kind: SpanKind, attributes: Attributes) => {
        const parent = trace.setSpan(ROOT_CONTEXT, running.turn);
        running.open.set(key, tracer.startSpan(name, { startTime: at, kind, attributes }, parent));
      };
      const settle = (key: string, attributes: Attributes, problem: string | undefined) => {
        const span = running.open.get(key);
        running.open.delete(key);
        if (span !== undefined) end(span, at, attributes, problem);
      };
      switch (event.type) {
        case 'model-call-intended':
          return begin(effectIdOf(session, seq), `chat ${model}`, SpanKind.CLIENT, {
            ...operation('chat', session),
            'gen_ai.request.model': model,
            'gen_ai.provider.name': model.split(/[/:]/)[0] ?? model,
          });
        case 'model-settled':
          return settle(event.effect, replyOf(event.outcome), problemIn(event.outcome));
        case 'tool-run-intended':
        case 'job-intended': {
          const tool = toolOf(running.calls, event.call);
          return begin(`call ${event.call}`, `execute_tool ${tool}`, SpanKind.INTERNAL, {
            ...operation('execute_tool', session),
            'gen_ai.tool.name': tool,
            'gen_ai.tool.call.id': event.call,
          });
        }
        case 'tool-settled': {
          const { result } = event;
          const problem =
            result.type === 'success' ? undefined : result.type === 'error' ? result.code : result.type;
          return settle(`call ${event.call}`, {}, problem);
        }
        case 'agent-turn-intended':
          return begin('agent', `invoke_agent ${agent}`, SpanKind.CLIENT, {
            ...operation('invoke_agent', session),
            'gen_ai.agent.name': agent,
          });
        case 'agent-turn-settled':
          return settle('agent', usageOf(event.usage), problemIn(event.ending));
        case 'turn-ended': {
          for (const span of running.open.values()) end(span, at, {}, event.ending.type);
          const { steps, toolCalls } = state.usage;
          const counts = { 'rondo.session.steps': steps, 'rondo.session.tool_calls': toolCalls };
          end(running.turn, at, { 'rondo.turn.outcome': event.ending.type, ...counts }, problemIn(event.ending));
          traced.delete(session);
          return;
        }
        default:
      }
    },
  };
}

function operation(name: string, session: SessionId): Attributes {
  return { 'gen_ai.operation.name': name, 'gen_ai.conversation.id': session };
}

function end(span: Span, at: number, attributes: Attributes, problem: string | undefined): void {
  span.setAttributes(attributes);
  if (problem !== undefined) span.setAttribute('error.type', problem).setStatus({ code: SpanStatusCode.ERROR });
  span.end(at);
}

function replyOf(outcome: ModelOutcome): Attributes {
  if (outcome.type !== 'completed') return usageOf(outcome.usage);
  const { model, stop, usage } = outcome;
  return {
    ...usageOf(usage),
    'gen_ai.response.finish_reasons': [stop],
    ...(model !== undefined && { 'gen_ai.response.model': model }),
  };
}

function usageOf(usage: Usage | undefined): Attributes {
  if (usage === undefined) return {};
  return { 'gen_ai.usage.input_tokens': usage.inputTokens, 'gen_ai.usage.output_tokens': usage.outputTokens };
}

function problemIn(ending: Ending | ModelOutcome): string | undefined {
  if (ending.type === 'completed') return undefined;
  return ending.type === 'failed' ? ending.code : ending.type;
}
