/**
 * The offline model. It isn't a language model, and it tells users. It understands plain requests by rules and
 * drives the real tools, so that people can try the whole product without a key or a network.
 *
 * 1. It is stateless: a reply depends only on the request, so it continues after a restart.
 * 2. It calls only offered tools; the gate decides which run.
 * 3. It claims only what a tool's result shows.
 * 4. A request that it can't serve fails the turn.
 */
import { estimateTokens } from '../kernel/content.ts';
import type { Model, ModelRequest, ModelResult } from '../ports/model.ts';
import { ruleSummary } from '../runtime/rule-summary.ts';
import { readRequest } from './offline-request.ts';
import { connectModel } from './connect-model.ts';
import { readFacts, type Facts } from './facts.ts';
import { planRequest } from './plan-request.ts';
import { playPlan, type OfflineReply } from './replay.ts';
import { speak, type Pace } from './speak.ts';

export interface OfflineModelOptions {
  readonly pace?: Pace;
  readonly now?: () => number;
}

export function createOfflineModel(options: OfflineModelOptions = {}): Model {
  const { pace = { wordMs: 8, wholeMs: 600 }, now = Date.now } = options;
  return {
    name: 'offline',
    async call(request, sink, signal) {
      if (signal.aborted) return { type: 'cancelled' };
      const reply =
        request.purpose === 'summary'
          ? { text: ruleSummary(request.messages.slice(0, -1)), calls: [] }
          : nextReply(await readFacts(request, now));
      const isSaid = await speak(reply.text, sink, signal, pace);
      return isSaid ? settled(reply, request) : { type: 'cancelled' };
    },
  };
}

function nextReply(facts: Facts): OfflineReply {
  if (facts.prompt.trim() === '') return { text: 'There is nothing to do: the request is empty.', calls: [] };
  if (facts.turnedDown) return { text: turnedDown, calls: [] };
  const understood = readRequest(facts);
  const plan = planRequest(understood, (prompt) => readRequest({ ...facts, prompt }));
  return playPlan(plan, {
    rounds: facts.rounds,
    withheld: (tool) =>
      facts.tools.has(tool) ? undefined : `The tool \`${tool}\` is not offered in this session.`,
  });
}

const turnedDown = `You turned my reply down. I am Rondo's offline model and go by rules, so to the same request I would say the same again. Please put it another way.

${connectModel}`;

function settled({ text, calls, unserved }: OfflineReply, request: ModelRequest): ModelResult {
  const planned = calls.map(({ tool, args }, index) => ({
    id: `call_${request.messages.length}_${index + 1}`,
    tool,
    args: JSON.stringify(args),
  }));
  const inputTokens =
    estimateTokens(request.system) +
    request.messages.reduce((sum, message) => sum + estimateTokens(message.text), 0);
  const outputTokens = planned.reduce((sum, { args }) => sum + estimateTokens(args), estimateTokens(text));
  return {
    type: 'completed',
    text,
    calls: planned,
    usage: { inputTokens, outputTokens, cost: 0, estimated: true },
    stop: planned.length > 0 ? 'calls' : unserved === true ? 'refusal' : 'end',
    model: 'offline',
  };
}
