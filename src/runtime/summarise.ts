/**
 * Summarizes the older part of a conversation. The request repeats the one the model already knows plus one
 * message, so that the provider's prefix cache hits. Facts that must not be lost are extracted by rule and stored
 * with the summary, independent of the model.
 *
 * If the summary fails, a requested compaction doesn't happen. If the context is full, the newest part stays and
 * the model is informed that the rest is no longer visible.
 */
import { chooseCut, messageTokens, type Cut } from '../kernel/conversation/choose-cut.ts';
import { compactionNotice } from '../kernel/conversation/compaction-notice.ts';
import { estimateTokens } from '../kernel/content.ts';
import { contextSize, windowOf, type KeptFacts, type Rest, type SummaryOutcome } from '../kernel/context.ts';
import type { Conversation } from '../kernel/conversation/conversation.ts';
import { summaryTokens } from '../kernel/decide/decide-compaction.ts';
import type { Decision } from '../kernel/decision.ts';
import type { InputBody } from '../kernel/input.ts';
import type { Message } from '../kernel/message.ts';
import { optional } from '../kernel/optional.ts';
import type { Usage } from '../kernel/outcome.ts';
import { turnOf } from '../kernel/state.ts';
import type { Capabilities } from './capabilities.ts';
import { fitBudget } from './fit-budget.ts';
import { keptFacts } from './kept-facts.ts';
import { type ModelResult } from '../ports/model.ts';
import { textOf } from './text-of.ts';
import type { Effort, Work } from './start-effect.ts';

type Summarise = Extract<Decision, { type: 'summarise' }>;

export function summarise(decision: Summarise, capabilities: Capabilities): Work {
  const settled = ({ effect, attempt }: Effort, outcome: SummaryOutcome, usage?: Usage): InputBody => ({
    type: 'summary-settled',
    effect,
    attempt,
    outcome,
    ...optional({ usage }),
  });
  return {
    kind: 'model',
    name: 'summary',
    onCancel: 'settle-at-once',
    async run(effort) {
      const { host } = effort;
      const conversation = await host.conversation();
      const { context, limits } = host.state;
      const window = windowOf(context, limits);
      const most = keptTokens(decision, window);
      const cut = chooseCut(conversation, context, { why: decision.why, most });
      if (cut === undefined) return settled(effort, { type: 'unneeded', message: nothingToSumUp });
      const older = conversation.messages.slice(0, cut.index);
      const kept = await keptFacts(older.slice(conversation.opening), conversation.kept, (ref) => host.read(ref));
      const result = shortened(await askModel(decision, capabilities, effort, { older, window }), window);
      const usage = 'usage' in result ? result.usage : undefined;
      return settled(effort, outcomeOf(result, { decision, conversation, cut, kept }), usage);
    },
    cancelled: (effort) => settled(effort, { type: 'cancelled' }, estimated(effort)),
    broke: (effort, message) => settled(effort, { type: 'failed', message }),
  };
}

const nothingToSumUp = 'There is nothing yet that a summary would make shorter.';

/** The tokens that stay unchanged: a share of the window if the context is full, few if a person requested it. */
function keptTokens({ why }: Summarise, window: number | undefined): number {
  return why === 'asked' || window === undefined ? 2000 : Math.floor(window * 0.3);
}

/** A summary that fills the window would need to be summarized again immediately. */
function mostSummaryTokens(window: number | undefined): number {
  return window === undefined ? summaryTokens : Math.max(1, Math.min(summaryTokens, Math.floor(window * 0.2)));
}

/** Not every model respects its limit. */
function shortened(result: ModelResult, window: number | undefined): ModelResult {
  const most = mostSummaryTokens(window) * 4;
  if (result.type !== 'completed' || result.text.length <= most) return result;
  return { ...result, text: `${result.text.slice(0, most)}\n[the summary was longer and is cut here]` };
}

async function askModel(
  { keep }: Summarise,
  capabilities: Capabilities,
  { host, effect, attempt, context }: Effort,
  { older, window }: { readonly older: readonly Message[]; readonly window: number | undefined },
): Promise<ModelResult> {
  const { state } = host;
  const model = await capabilities.models.resolve(turnOf(state)?.agent ?? state.agent, state.cwd);
  if (typeof model === 'string') {
    return { type: 'failed', code: 'model-unavailable', message: model, retryable: false };
  }
  const wish = keep === undefined ? undefined : await textOf(keep, (ref) => host.read(ref));
  const fitted = fitBudget(
    {
      session: host.session,
      effect,
      attempt,
      lane: state.parent === undefined ? 'main' : 'worker',
      purpose: 'summary',
      system: await capabilities.briefing.system(state),
      messages: [...older, { role: 'user', text: summaryPrompt(wish) }],
      tools: await capabilities.tools.offered(state, host.epoch),
      maxOutputTokens: mostSummaryTokens(window),
      read: (ref) => host.read(ref),
    },
    model,
    state,
  );
  if (fitted.type === 'failed') return fitted;
  return model.call(
    fitted.request,
    {
      text: () => undefined,
      reasoning: () => undefined,
      status: (text) => host.progress({ effect, attempt, kind: 'status', text }),
    },
    context.signal,
  );
}

function summaryPrompt(keep: string | undefined): string {
  const wish = keep === undefined ? '' : `\nAbove all keep this, which the user asked for: ${keep}\n`;
  return `Summarize the conversation for yourself. You will no longer see the messages above, only your summary and what follows it. Don't call tools, and don't continue the work.
${wish}
Keep word for word what must not change in meaning:
- your role and the instructions you were given in the conversation;
- what the user asked for, and every constraint and preference they stated;
- decisions that were made, and why;
- files that were read, written or changed, with their paths, and what is in them as far as it matters;
- commands and tests that were run and what came of them, errors included;
- what is done, what is still open and what comes next.

Leave out greetings, repetitions and output that nothing depends on. Answer with the summary alone.`;
}

interface Made {
  readonly decision: Summarise;
  readonly conversation: Conversation;
  readonly cut: Cut;
  readonly kept: KeptFacts;
}

function outcomeOf(result: ModelResult, { decision, conversation, cut, kept }: Made): SummaryOutcome {
  if (result.type === 'cancelled') return { type: 'cancelled' };
  const text = result.type === 'completed' ? result.text.trim() : '';
  if (text !== '' && result.type === 'completed' && result.stop !== 'refusal') {
    const outcome = { type: 'completed', summary: text, kept } as const;
    const rest = restOf(conversation, cut, compactionNotice({ ...outcome, rest: nothing }, text));
    return { ...outcome, rest };
  }
  const message = result.type === 'completed' ? 'the model gave no summary' : result.message;
  if (decision.why === 'asked') return { type: 'failed', message: `Can't summarize the conversation: ${message}` };
  const outcome = { type: 'failed', message, kept } as const;
  return { ...outcome, rest: restOf(conversation, cut, compactionNotice(outcome, '')) };
}

const nothing: Rest = { from: 1, messages: 0, tokens: 0 };

function restOf({ messages }: Conversation, { index, rest }: Cut, notice: string): Rest {
  const kept = messages.slice(index);
  const restated = rest.restated?.length ?? 0;
  const again = messages
    .slice(0, index)
    .filter(({ role }) => role === 'user')
    .slice(-restated);
  const sent = restated === 0 ? kept : [...again, ...kept];
  const tokens = sent.reduce((sum, message) => sum + messageTokens(message), estimateTokens(notice));
  return { ...rest, messages: sent.length + 1, tokens };
}

function estimated({ host }: Effort): Usage {
  return { inputTokens: contextSize(host.state.context), outputTokens: 0, estimated: true };
}
