import type { Command } from './command.ts';

export const sessions: Command = {
  name: 'sessions',
  parameters: [{ name: 'words' }],
  summary: 'list sessions, or only those whose title contains the words',
  async run({ words = '' }, { rondo }) {
    return { type: 'sessions', words, entries: await rondo.sessions(words === '' ? {} : { q: words }) };
  },
};
