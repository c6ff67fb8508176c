/**
 * Lends the session's model to a running tool: an MCP server's sampling request.
 *
 * 1. The gate decides, as for a call of the tool `sampling` with the server's name: a rule such as `sampling(docs)`
 *    allows or denies it, and otherwise a person is asked each time.
 * 2. It fits the session's budget, and its usage is recorded with the call.
 * 3. The model sees the server's text alone: no conversation, no tools, no instructions of ours.
 */
import type { Call } from '../kernel/call.ts';
import { judgeCall } from '../kernel/decide/judge-now.ts';
import { withUsage } from '../kernel/evolve/turn-change.ts';
import type { CallId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import type { SampledUsage, Usage } from '../kernel/outcome.ts';
import { withManaged } from '../kernel/policy/permission.ts';
import { turnOf } from '../kernel/state.ts';
import type { ModelSink } from '../ports/model.ts';
import type { SampleRequest, Sampled, ToolRun } from '../ports/tool.ts';
import type { Capabilities } from './capabilities.ts';
import { fitBudget } from './fit-budget.ts';
import type { Effort } from './start-effect.ts';

export interface Sampling {
  readonly sample: NonNullable<ToolRun['sample']>;
  /** The sum of what was used so far. */
  used(): SampledUsage | undefined;
}

const mostPerCall = 8;
const mostOutputTokens = 8_192;

export function createSampling(
  call: Call,
  { host, effect, attempt, context }: Effort,
  { models, managedRules = [] }: Pick<Capabilities, 'models' | 'managedRules'>,
  ask: NonNullable<ToolRun['ask']>,
): Sampling {
  let used: SampledUsage | undefined;
  let asked = 0;

  async function permitted(request: SampleRequest): Promise<string | undefined> {
    const facts = withManaged('sampling', samplingFacts(request.server), managedRules);
    const wanted: Call = { id: `${call.id}.sampling` as CallId, tool: 'sampling', args: '{}', facts };
    const { verdict, reason } = judgeCall(host.state, wanted);
    if (verdict === 'allow') return undefined;
    if (verdict === 'deny') return reason;
    const answer = await ask({ title: titleOf(request), schema: yes, permits: true });
    return answer.type === 'form' ? undefined : 'A person declined it.';
  }

  return {
    used: () => used,
    async sample(request) {
      asked += 1;
      if (asked > mostPerCall) return refused(`One call may use the model ${mostPerCall} times.`);
      const why = await permitted(request);
      if (why !== undefined) return refused(why);
      const { state } = host;
      const model = await models.resolve(turnOf(state)?.agent ?? state.agent, state.cwd);
      if (typeof model === 'string') return refused(model);
      const fitted = fitBudget(
        {
          session: host.session,
          effect,
          attempt,
          lane: state.parent === undefined ? 'main' : 'worker',
          system: request.system ?? '',
          messages: request.messages.map(({ role, text }) =>
            role === 'user' ? { role, text } : { role, text, calls: [] },
          ),
          tools: [],
          maxOutputTokens: Math.min(request.maxTokens, mostOutputTokens),
          read: (ref) => host.read(ref),
        },
        model,
        used === undefined ? state : withUsage(state, used.usage),
      );
      if (fitted.type === 'failed') return refused(fitted.message);
      const result = await model.call(fitted.request, unheard, context.signal);
      if (result.usage !== undefined) {
        const name = (result.type === 'completed' ? result.model : undefined) ?? model.name;
        used = { model: name, usage: used === undefined ? result.usage : sumOf(used.usage, result.usage) };
      }
      if (result.type === 'completed')
        return { type: 'completed', text: result.text, model: model.name, isCut: result.stop === 'length' };
      return refused(result.type === 'cancelled' ? 'It was cancelled.' : result.message);
    },
  };
}

/** `sampling(docs)` names the server. Every use costs money, so no grant for the session is offered. */
function samplingFacts(server: string): Call['facts'] {
  return { access: 'network', urls: [server], repeat: 'never', order: 'exclusive', runs: 'tool' };
}

function titleOf({ server, messages, maxTokens, system }: SampleRequest): string {
  const text = [system, ...messages.map((message) => message.text)]
    .filter((part) => part !== undefined)
    .join('\n');
  const excerpt = text.length > shownText ? `${text.slice(0, shownText)}… (${text.length} characters)` : text;
  const most = Math.min(maxTokens, mostOutputTokens);
  return `MCP server ${server} wants to use your model for up to ${most} tokens: ${excerpt}`;
}

const shownText = 1_500;
/** One choice, so that every front end offers it as a key. */
const yes = {
  type: 'object',
  properties: { allow: { type: 'string', enum: ['once'] } },
  required: ['allow'],
};

function sumOf(one: Usage, other: Usage): Usage {
  const cost = one.cost === undefined || other.cost === undefined ? undefined : one.cost + other.cost;
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...optional({ cost }),
    ...((one.estimated === true || other.estimated === true) && { estimated: true }),
  };
}

function refused(message: string): Sampled {
  return { type: 'refused', message };
}

const unheard: ModelSink = { text: () => undefined, reasoning: () => undefined, status: () => undefined };
