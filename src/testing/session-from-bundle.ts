/**
 * A user's bundle as a test: the session's state at every event, the kernel's decisions checked again, and its
 * model and tools as fakes that repeat their recorded output.
 *
 *     const bundled = await sessionFromBundle('their-problem.rondo');
 *     expect(await bundled.differences()).toEqual([]);
 *     const rondo = await createRondo({ agents, models: { x: bundled.model }, tools: bundled.tools });
 *     for (const prompt of bundled.prompts) await session.chat(prompt);
 */
import { createReadStream } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

import type { Body } from '../kernel/content.ts';
import type { CallFacts } from '../kernel/call.ts';
import type { Recorded } from '../kernel/event.ts';
import { evolve } from '../kernel/evolve/evolve.ts';
import type { CallId, SessionId } from '../kernel/ids.ts';
import type { ModelOutcome } from '../kernel/input.ts';
import type { ToolResult } from '../kernel/outcome.ts';
import { newState, type State } from '../kernel/state.ts';
import type { Step } from '../kernel/decide/step.ts';
import { createScriptedModel, type ScriptedModel, type ScriptedStep } from '../models/scripted.ts';
import type { Tool } from '../ports/tool.ts';
import { bundledTransitions } from '../upkeep/journal-transitions.ts';
import { replay, type ReplayStep } from '../upkeep/replay.ts';
import { testTool } from './test-tool.ts';
import { optional } from '../kernel/optional.ts';

/** An exported session, and the fakes to run it again. */
export interface BundledSession {
  readonly session: SessionId;
  readonly events: readonly Recorded[];
  stateAt(seq: number): State;
  /** Steps every transition again, with the kernel's step or another. */
  replay(step?: Step): Promise<readonly ReplayStep[]>;
  /** Transitions with a different result, as text; empty if all are equal. */
  differences(step?: Step): Promise<readonly string[]>;
  /** The session's prompts, in order. */
  readonly prompts: readonly string[];
  /** Repeats the model's replies, one by one. */
  readonly model: ScriptedModel;
  /** Repeat their recorded results, call by call. A call that wasn't recorded is an error. */
  readonly tools: readonly Tool[];
}

/** Reads a bundle for use in a test. */
export async function sessionFromBundle(file: string): Promise<BundledSession> {
  const bundled = await bundledTransitions(createReadStream(file, 'utf8'), file);
  const { session, transitions } = bundled;
  const events = transitions.flat();
  const text = (body: Body) => (typeof body === 'string' ? body : (bundled.blobs.get(body.blob) ?? body.preview));
  const rerun = (step?: Step) => Array.fromAsync(replay(transitions, { session, ...optional({ step }) }));
  return {
    session,
    events,
    stateAt: (seq) => events.filter((recorded) => recorded.seq <= seq).reduce(evolve, newState(session)),
    replay: rerun,
    async differences(step) {
      const steps = await rerun(step);
      return steps.flatMap(({ first, verdict, broken }) => [
        ...(verdict.type === 'differs'
          ? [
              `${verdict.input} at ${first} gave ${verdict.instead.map(({ type }) => type).join(', ') || 'nothing'}`,
            ]
          : []),
        ...broken.map((rule) => `the state after ${first} breaks ${rule}`),
      ]);
    },
    prompts: events.flatMap(({ event }) =>
      event.type === 'prompt-received' && event.request.type === 'chat' ? [text(event.request.text)] : [],
    ),
    model: createScriptedModel(
      events.flatMap(({ event }) => (event.type === 'model-settled' ? [scriptedStep(event.outcome, text)] : [])),
    ),
    tools: recordedTools(events, text),
  };
}

function scriptedStep(outcome: ModelOutcome, text: (body: Body) => string): ScriptedStep {
  switch (outcome.type) {
    case 'completed':
      return {
        text: text(outcome.text),
        ...(outcome.reasoning !== undefined && { reasoning: text(outcome.reasoning) }),
        calls: outcome.calls.map(({ id, tool, args }) => ({
          id,
          tool,
          args: JSON.parse(text(args) || '{}') as unknown,
        })),
        usage: outcome.usage,
        stop: outcome.stop,
      };
    case 'failed': {
      const { code, message, retryable, retryAt } = outcome;
      return { fail: { code, message, retryable, ...optional({ retryAt }) } };
    }
    case 'cancelled':
    case 'timed-out':
      return { text: outcome.partial === undefined ? '' : text(outcome.partial), hang: true };
  }
}

interface RecordedCall {
  readonly tool: string;
  readonly args: string;
  readonly facts: CallFacts;
  result?: ToolResult;
}

function recordedTools(events: readonly Recorded[], text: (body: Body) => string): readonly Tool[] {
  const calls: RecordedCall[] = [];
  const open = new Map<CallId, RecordedCall>();
  for (const { event } of events) {
    const made =
      event.type === 'model-settled' && event.outcome.type === 'completed'
        ? event.outcome.calls
        : event.type === 'prompt-received' && event.request.type === 'task'
          ? event.request.calls
          : [];
    for (const { id, tool, args, facts } of made) {
      const call: RecordedCall = { tool, args: text(args), facts };
      calls.push(call);
      open.set(id, call);
    }
    const settled = event.type === 'tool-settled' ? open.get(event.call) : undefined;
    if (settled !== undefined && event.type === 'tool-settled') settled.result = plain(event.result, text);
  }
  return [...new Set(calls.map(({ tool }) => tool))].map((name) => {
    const made = calls.filter(({ tool }) => tool === name);
    const left = made.filter(({ result }) => result !== undefined);
    const tool = testTool(name, (args) => {
      const place = left.findIndex((call) => isSameArgs(call.args, args));
      const [call] = place === -1 ? [] : left.splice(place, 1);
      const unknown: ToolResult = {
        type: 'error',
        code: 'not-recorded',
        message: `${name} was not called so then`,
      };
      return call?.result ?? unknown;
    });
    return {
      ...tool,
      describe: (args, context) =>
        (made.find((call) => isSameArgs(call.args, args)) ?? made[0])?.facts ?? tool.describe(args, context),
    };
  });
}

function isSameArgs(recorded: string, args: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(recorded === '' ? '{}' : recorded), args);
}

function plain(result: ToolResult, text: (body: Body) => string): ToolResult {
  switch (result.type) {
    case 'success':
      return { ...result, output: text(result.output) };
    case 'error':
      return { ...result, message: text(result.message) };
    case 'cancelled':
      return result.output === undefined ? result : { ...result, output: text(result.output) };
  }
}
