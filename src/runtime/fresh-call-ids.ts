import type { Message } from '../kernel/message.ts';
import { createGrowingFold } from './growing-fold.ts';

/**
 * Gives calls ids that are unique in the conversation: some servers restart numbering in each reply, and others
 * reject a conversation with duplicate ids.
 */
export function withFreshIds<Call extends { readonly id: string }>(
  calls: readonly Call[],
  messages: readonly Message[],
): readonly Call[] {
  const taken = idsIn(messages);
  if (!calls.some(({ id }) => taken.has(id))) return calls;
  return calls.map((call) => (taken.has(call.id) ? { ...call, id: freshId(call.id, taken) } : call));
}

const idsIn = createGrowingFold<Message, Set<string>>({
  start: () => new Set(),
  add(ids, message) {
    for (const id of callIds(message)) ids.add(id);
    return ids;
  },
});

function callIds(message: Message): readonly string[] {
  if (message.role === 'assistant') return message.calls.map(({ id }) => id);
  return message.role === 'tool' ? [message.call] : [];
}

function freshId(id: string, taken: ReadonlySet<string>): string {
  let number = 2;
  while (taken.has(`${id}_${number}`)) number += 1;
  return `${id}_${number}`;
}
