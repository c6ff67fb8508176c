import { sessionCommand, misuse } from './command.ts';
import { eventNumber, notAnEvent } from './event-number.ts';

export const why = sessionCommand({
  name: 'why',
  parameters: [{ name: 'event' }],
  summary: 'explain what was understood of a prompt, and which rules fired',
  async run({ event }, { session }) {
    const number = event === undefined ? undefined : eventNumber(event);
    if (event !== undefined && number === undefined) return misuse(notAnEvent('why', event));
    return { type: 'why', reason: await session.why(number) };
  },
});
