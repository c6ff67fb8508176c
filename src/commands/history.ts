import { sessionCommand, misuse } from './command.ts';

const most = 100;

export const history = sessionCommand({
  name: 'history',
  parameters: [{ name: 'count' }],
  summary: 'show the conversation so far',
  async run({ count }, { session }) {
    const limit = count === undefined ? most : Number(count);
    if (!Number.isInteger(limit) || limit < 0 || limit > 1000)
      return misuse(`/history takes a number up to 1000, not "${count}"`);
    const { items } = limit === 0 ? { items: [] } : await session.transcript({ limit });
    return { type: 'history', session, items, count: count === undefined ? undefined : limit };
  },
});
