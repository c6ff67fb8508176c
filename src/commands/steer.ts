import { changed } from './changed.ts';
import { sessionCommand } from './command.ts';

export const steer = sessionCommand({
  name: 'steer',
  parameters: [{ name: 'text', required: true }],
  summary: 'send a prompt that joins the current turn',
  async run({ text = '' }, { session }) {
    return changed(await session.send({ type: 'chat', text, delivery: 'steer' }), 'Sent to the current turn.');
  },
});
