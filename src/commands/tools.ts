import type { Command } from './command.ts';

export const tools: Command = {
  name: 'tools',
  summary: 'list the tools',
  run: async (_, { rondo, session }) => ({ type: 'tools', tools: await rondo.tools(session?.id) }),
};
