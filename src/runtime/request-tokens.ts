import { messageTokens } from '../kernel/conversation/choose-cut.ts';
import { estimateTokens } from '../kernel/content.ts';
import type { ModelRequest } from '../ports/model.ts';

/** Our estimate of the whole request: system prompt, tools with their schemas, messages and attachments. */
export function requestTokens({
  system,
  messages,
  tools,
}: Pick<ModelRequest, 'system' | 'messages' | 'tools'>): number {
  let tokens = estimateTokens(system);
  for (const { name, description, parameters } of tools) {
    tokens += estimateTokens(name) + estimateTokens(description) + estimateTokens(JSON.stringify(parameters));
  }
  return messages.reduce((sum, message) => sum + messageTokens(message), tokens);
}
