import { sessionCommand, usage } from './command.ts';
import { eventNumber, notAnEvent } from './event-number.ts';

export const rewind = sessionCommand({
  name: 'rewind',
  parameters: [{ name: 'event', required: true }],
  summary: 'go back to an earlier event; `undo` reverts the last rewind',
  async run({ event = '' }, { session }) {
    const to = event.toLowerCase() === 'undo' ? 'undo' : eventNumber(event);
    if (to === undefined) return usage(notAnEvent('rewind', event, ' or "undo"'));
    const result = await session.rewind({ to });
    if (result.type === 'refused') return { type: 'refused', message: result.refusal.message };
    return { type: 'rewound', session: session.id, result };
  },
});
