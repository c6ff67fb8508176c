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
    tokens += estimateTokens(name) + estimateTokens(description) + estimateOnce(parameters, schemaTokens);
  }
  for (const message of messages) tokens += estimateOnce(message, messageTokens);
  return tokens;
}

/** A request repeats the history and the schemas of the one before, and their objects never change. */
const estimates = new WeakMap<object, number>();

function estimateOnce<Subject extends object>(subject: Subject, estimate: (subject: Subject) => number): number {
  const known = estimates.get(subject);
  if (known !== undefined) return known;
  const tokens = estimate(subject);
  estimates.set(subject, tokens);
  return tokens;
}

function schemaTokens(parameters: object): number {
  return estimateTokens(JSON.stringify(parameters));
}
