/** What fills the model's window, for people: shares in tokens that add up to the size of the context. */
import { messageTokens } from '../kernel/conversation/choose-cut.ts';
import { contextSize, windowOf } from '../kernel/context.ts';
import type { Message } from '../kernel/message.ts';
import { optional } from '../kernel/optional.ts';
import type { State } from '../kernel/state.ts';

export interface ContextShare {
  readonly tokens: number;
  /** The model's window, if known. */
  readonly window?: number;
  /** True if the provider counted the last request. Otherwise all figures are our estimates. */
  readonly isCounted: boolean;
  readonly parts: readonly ContextPart[];
}

export interface ContextPart {
  readonly name: 'system' | 'summary' | 'user' | 'assistant' | 'tools' | 'notices';
  readonly tokens: number;
}

/** `opening` messages replace what a compaction dropped. */
export function contextShareOf(
  { context, limits }: Pick<State, 'context' | 'limits'>,
  { messages, opening }: { readonly messages: readonly Message[]; readonly opening: number },
): ContextShare {
  const window = windowOf(context, limits);
  const { counted } = context;
  const tokens = contextSize(context);
  const totals = { summary: 0, user: 0, assistant: 0, tools: 0, notices: 0 };
  for (const [index, message] of messages.entries()) {
    totals[index < opening && message.role === 'notice' ? 'summary' : partOf[message.role]] +=
      messageTokens(message);
  }
  const sum = Object.values(totals).reduce((all, part) => all + part, 0);
  // Tokens that the provider counts beyond the messages belong to the system prompt and tools. If it counts fewer,
  // our estimates were too high.
  const scale = counted === undefined || sum <= tokens ? 1 : tokens / sum;
  const system = counted === undefined ? 0 : Math.max(0, tokens - sum);
  return {
    tokens: counted === undefined ? sum : tokens,
    ...optional({ window }),
    isCounted: counted !== undefined,
    parts: [
      { name: 'system', tokens: system },
      ...(['summary', 'user', 'assistant', 'tools', 'notices'] as const).map((name) => ({
        name,
        tokens: Math.round(totals[name] * scale),
      })),
    ],
  };
}

const partOf = {
  user: 'user',
  assistant: 'assistant',
  tool: 'tools',
  notice: 'notices',
  quoted: 'notices',
} as const;
