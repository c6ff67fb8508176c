import type { Command } from './command.ts';

export const clear: Command = {
  name: 'clear',
  summary: 'clear the screen',
  isForScreens: true,
  run: () => ({ type: 'clear' }),
};
