import { sessionCommand } from './command.ts';

export const status = sessionCommand({
  name: 'status',
  summary: 'show what the session is doing',
  async run(_, { rondo, session }) {
    const [now, questions] = await Promise.all([session.status(), session.questions()]);
    return { type: 'status', status: now, questions, server: rondo.server };
  },
});
