import { sessionCommand } from './command.ts';

export const context = sessionCommand({
  name: 'context',
  summary: "show what fills the model's window",
  run: async (_, { session }) => ({ type: 'context', share: await session.context() }),
});
