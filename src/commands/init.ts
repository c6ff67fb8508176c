import { changed } from './changed.ts';
import { sessionCommand } from './command.ts';

/** The file that other agents read too. */
const prompt = `Look at this project and write AGENTS.md in its root for coding agents that work here. If it exists, improve it.
Say in at most 60 lines: what the project is, how it is laid out, the exact commands to build, test (also one test) and lint,
the conventions that its code follows, and what to be careful about. Take commands from the project's files and check them.
Leave out what any developer knows.`;

export const init = sessionCommand({
  name: 'init',
  isForScreens: true,
  summary: 'let the agent write AGENTS.md for this project',
  run: async (_args, { session }) => changed(await session.send({ type: 'chat', text: prompt }), 'Sent.'),
});
