import type { Message } from '../kernel/message.ts';

/**
 * Gives calls ids that are unique in the conversation: some servers restart numbering in each reply, and others
 * reject a conversation with duplicate ids.
 */
export function withFreshIds<Call extends { readonly id: string }>(
  calls: readonly Call[],
  messages: readonly Message[],
): readonly Call[] {
  const taken = new Set<string>();
  for (const message of messages) {
    if (message.role === 'assistant') for (const { id } of message.calls) taken.add(id);
    else if (message.role === 'tool') taken.add(message.call);
  }
  return calls.map((call) => (taken.has(call.id) ? { ...call, id: freshId(call.id, taken) } : call));
}

function freshId(id: string, taken: ReadonlySet<string>): string {
  let number = 2;
  while (taken.has(`${id}_${number}`)) number += 1;
  return `${id}_${number}`;
}
