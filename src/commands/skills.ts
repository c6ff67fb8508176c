import type { Command } from './command.ts';

export const skills: Command = {
  name: 'skills',
  summary: 'list the skills that the model can load',
  run: async (_, { rondo, session }) => ({ type: 'skills', skills: await rondo.skills(session?.id) }),
};
