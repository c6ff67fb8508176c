import { sessionCommand } from './command.ts';

export const usage = sessionCommand({
  name: 'usage',
  aliases: ['cost'],
  summary: 'show tokens, cost and time',
  async run(_, { session }) {
    const [report, { limits }] = await Promise.all([session.usage(), session.status()]);
    return { type: 'usage', report, limits };
  },
});
