import { messageTokens } from '../kernel/conversation/choose-cut.ts';
import { estimateTokens } from '../kernel/content.ts';
import type { Message } from '../kernel/message.ts';
import type { ModelRequest } from '../ports/model.ts';
import { createGrowingFold } from './growing-fold.ts';

/** Our estimate of the whole request: system prompt, tools with their schemas, messages and attachments. */
export function requestTokens({
  system,
  messages,
  tools,
}: Pick<ModelRequest, 'system' | 'messages' | 'tools'>): number {
  return estimateTokens(system) + toolTokens(tools) + historyTokens(messages);
}

const historyTokens = createGrowingFold<Message, number>({
  start: () => 0,
  add: (tokens, message) => tokens + messageTokens(message),
});

const toolTokens = createGrowingFold<ModelRequest['tools'][number], number>({
  start: () => 0,
  add: (tokens, { name, description, parameters }) =>
    tokens + estimateTokens(name) + estimateTokens(description) + schemaTokens(parameters),
});

/** Every session of an agent offers the same schemas, in lists of its own. */
const schemas = new WeakMap<object, number>();

function schemaTokens(parameters: object): number {
  const tokens = schemas.get(parameters) ?? estimateTokens(JSON.stringify(parameters));
  schemas.set(parameters, tokens);
  return tokens;
}
