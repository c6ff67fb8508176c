import type { Command } from './command.ts';

export const sessions: Command = {
  name: 'sessions',
  parameters: [{ name: 'words' }],
  summary: 'list sessions, or those with words in the title',
  async run({ words = '' }, { rondo }) {
    return { type: 'sessions', words, entries: await rondo.sessions(words === '' ? {} : { q: words }) };
  },
};
