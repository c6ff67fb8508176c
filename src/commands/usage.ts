import { sessionCommand } from './command.ts';

export const usage = sessionCommand({
  name: 'usage',
  summary: 'show tokens, cost and time',
  async run(_, { session }) {
    const [report, { limits }] = await Promise.all([session.usage(), session.status()]);
    return { type: 'usage', report, limits };
  },
});
