import type { Message } from '../kernel/message.ts';

/**
 * Gives calls ids that are unique in the conversation: some servers restart numbering in each reply, and others
 * reject a conversation with duplicate ids.
 */
export function withFreshIds<Call extends { readonly id: string }>(
  calls: readonly Call[],
  messages: readonly Message[],
): readonly Call[] {
  if (!messages.some((message) => calls.some(({ id }) => hasCall(message, id)))) return calls;
  const taken = new Set(messages.flatMap(callIds));
  return calls.map((call) => (taken.has(call.id) ? { ...call, id: freshId(call.id, taken) } : call));
}

/** Allocates nothing, because each model call scans the whole conversation. */
function hasCall(message: Message, id: string): boolean {
  if (message.role === 'assistant') return message.calls.some((call) => call.id === id);
  return message.role === 'tool' && message.call === id;
}

function callIds(message: Message): readonly string[] {
  if (message.role === 'assistant') return message.calls.map(({ id }) => id);
  return message.role === 'tool' ? [message.call] : [];
}

function freshId(id: string, taken: ReadonlySet<string>): string {
  let number = 2;
  while (taken.has(`${id}_${number}`)) number += 1;
  return `${id}_${number}`;
}
