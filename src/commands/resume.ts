import { sessionCommand } from './command.ts';

export const resume = sessionCommand({
  name: 'resume',
  parameters: [{ name: 'session', required: true }],
  summary: 'continue another session',
  isForScreens: true,
  async run({ session: named = '' }, { rondo, session }) {
    return { type: 'open', session: await rondo.open(named), how: 'resumed', before: session.id };
  },
});
