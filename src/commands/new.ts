import { sessionCommand } from './command.ts';

export const newSession = sessionCommand({
  name: 'new',
  summary: 'start a new session',
  isForScreens: true,
  async run(_, { rondo, session }) {
    const { agent, lifecycle } = await session.status();
    const made = await rondo.create({ agent });
    return { type: 'open', session: made, how: 'created', ...(lifecycle !== 'new' && { before: session.id }) };
  },
});
