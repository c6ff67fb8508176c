import type { Command } from './command.ts';

export const workers: Command = {
  name: 'workers',
  summary: "list the session's workers",
  async run(_, { rondo, session }) {
    const all = await rondo.workers();
    return {
      type: 'workers',
      workers: all.filter(({ parent }) => session === undefined || parent === session.id),
    };
  },
};
