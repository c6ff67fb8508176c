import { sessionCommand, usage } from './command.ts';
import { eventNumber, notAnEvent } from './event-number.ts';

export const fork = sessionCommand({
  name: 'fork',
  parameters: [{ name: 'event' }],
  summary: 'continue in a copy of this session',
  async run({ event }, { session }) {
    const at = event === undefined ? undefined : eventNumber(event);
    if (event !== undefined && at === undefined) return usage(notAnEvent('fork', event));
    const forked = await session.fork(at === undefined ? {} : { at });
    return { type: 'open', session: forked, how: 'forked', before: session.id };
  },
});
