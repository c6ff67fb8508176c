import { changed } from './changed.ts';
import { sessionCommand } from './command.ts';

export const interrupt = sessionCommand({
  name: 'interrupt',
  aliases: ['cancel'],
  parameters: [{ name: 'reason' }],
  summary: 'stop the current turn',
  async run({ reason }, { session }) {
    if ((await session.status()).turn === undefined) return { type: 'done', text: 'No turn is running.' };
    return changed(await session.interrupt(reason), 'Stopping the turn.');
  },
});
