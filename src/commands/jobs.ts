import type { Command } from './command.ts';

export const jobs: Command = {
  name: 'jobs',
  summary: 'list the jobs',
  run: async (_, { rondo }) => ({ type: 'jobs', jobs: await rondo.jobs() }),
};
