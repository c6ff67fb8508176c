import type { Command } from './command.ts';

export const agents: Command = {
  name: 'agents',
  summary: 'list the agents',
  async run(_, { rondo, session }) {
    const listed = await rondo.agents(session?.id);
    if (session === undefined) return { type: 'agents', agents: listed };
    return { type: 'agents', agents: listed, current: (await session.status()).agent };
  },
};
