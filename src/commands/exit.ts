import type { Command } from './command.ts';

export const exit: Command = {
  name: 'exit',
  aliases: ['quit'],
  summary: 'leave; the session stays',
  isForScreens: true,
  run: () => ({ type: 'leave' }),
};
