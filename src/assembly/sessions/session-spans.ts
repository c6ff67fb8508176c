/**
 * Sessions as OpenTelemetry spans, named by the GenAI conventions: a turn, and in it each model call, tool run, job
 * and external agent's turn. Built from the recorded events, so spans match the journal and its times.
 *
 * 1. No content: only names, counts, ids and outcomes.
 * 2. Spans left open by a turn end with it. A turn taken over from a dead process has a span from the takeover on.
 */
import type { Recorded } from '../../kernel/event.ts';
import { effectIdOf, type SessionId } from '../../kernel/ids.ts';
import type { ModelOutcome } from '../../kernel/input.ts';
import { optional } from '../../kernel/optional.ts';
import type { Ending, Usage } from '../../kernel/outcome.ts';
import { turnOf, type State } from '../../kernel/state.ts';
import {
  childContext,
  errorStatus,
  rootContext,
  spanKinds,
  type Attributes,
  type TelemetrySpan,
  type Tracer,
} from './telemetry-global.ts';
import { currentCallsWith, newCurrentCalls, toolOf, type CurrentCalls } from '../../views/current-calls.ts';

/** The model behind a reference, as its provider names it. */
export interface ModelIdentity {
  readonly provider: string;
  readonly model: string;
}

export type IdentifyModel = (reference: string | undefined, cwd: string) => ModelIdentity | undefined;

export interface SessionSpans {
  /** Call it for every event of the sessions alive here, with the state after it. */
  saw(session: SessionId, recorded: Recorded, state: State): void;
}

interface Traced {
  readonly turn: TelemetrySpan;
  readonly open: Map<string, TelemetrySpan>;
  calls: CurrentCalls;
}

export function createSessionSpans(tracer: Tracer, identify: IdentifyModel): SessionSpans {
  const traced = new Map<SessionId, Traced>();

  function beginTurn(session: SessionId, at: number, state: State): Traced {
    const agent = (turnOf(state)?.agent ?? state.agent).name;
    const attributes = { ...operation('invoke_agent', session), 'gen_ai.agent.name': agent };
    const turn = tracer.startSpan(`invoke_agent ${agent}`, { startTime: at, attributes }, rootContext);
    const begun = { turn, open: new Map<string, TelemetrySpan>(), calls: newCurrentCalls() };
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
      const { name: agent, model } = turnOf(state)?.agent ?? state.agent;
      const begin = (key: string, name: string, kind: number, attributes: Attributes) => {
        const options = { startTime: at, kind, attributes };
        running.open.set(key, tracer.startSpan(name, options, childContext(running.turn)));
      };
      const settle = (key: string, attributes: Attributes, problem: string | undefined) => {
        const span = running.open.get(key);
        running.open.delete(key);
        if (span !== undefined) end(span, at, attributes, problem);
      };
      switch (event.type) {
        case 'model-call-intended':
          return begin(effectIdOf(session, seq), 'chat', spanKinds.client, operation('chat', session));
        case 'model-settled': {
          // Known only now: the call itself resolves the reference, which may be an alias or empty.
          const asked = identify(model, state.cwd) ?? { provider: 'unknown', model: model ?? 'unknown' };
          running.open.get(event.effect)?.updateName(`chat ${asked.model}`);
          return settle(
            event.effect,
            { ...requestOf(asked), ...replyOf(event.outcome) },
            problemIn(event.outcome),
          );
        }
        case 'tool-run-intended':
        case 'job-intended': {
          const tool = toolOf(running.calls, event.call);
          return begin(`call ${event.call}`, `execute_tool ${tool}`, spanKinds.internal, {
            ...operation('execute_tool', session),
            'gen_ai.tool.name': tool,
            'gen_ai.tool.type': 'function',
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
          return begin('agent', `invoke_agent ${agent}`, spanKinds.client, {
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

function end(span: TelemetrySpan, at: number, attributes: Attributes, problem: string | undefined): void {
  span.setAttributes(attributes);
  if (problem !== undefined) {
    span.setAttributes({ 'error.type': problem });
    span.setStatus({ code: errorStatus });
  }
  span.end(at);
}

function requestOf({ provider, model }: ModelIdentity): Attributes {
  return { 'gen_ai.request.model': model, 'gen_ai.provider.name': provider };
}

function replyOf(outcome: ModelOutcome): Attributes {
  if (outcome.type !== 'completed') return usageOf(outcome.usage);
  const { model, stop, usage } = outcome;
  return {
    ...usageOf(usage),
    'gen_ai.response.finish_reasons': [finishReasons[stop]],
    ...optional({ 'gen_ai.response.model': model }),
  };
}

/** As the conventions name them. */
const finishReasons = { end: 'stop', calls: 'tool_call', length: 'length', refusal: 'content_filter' } as const;

function usageOf(usage: Usage | undefined): Attributes {
  if (usage === undefined) return {};
  return {
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
    ...optional({
      'gen_ai.usage.cache_read.input_tokens': usage.cachedTokens,
      'gen_ai.usage.reasoning.output_tokens': usage.reasoningTokens,
    }),
  };
}

function problemIn(ending: Ending | ModelOutcome): string | undefined {
  if (ending.type === 'completed') return undefined;
  return ending.type === 'failed' ? ending.code : ending.type;
}
