/** Commands that only this screen has: they change how it looks and takes keys, not the session. */
import type { CommandSpec } from '../../commands/registry.ts';

export type ScreenCommand = 'theme' | 'vim' | 'paste' | 'keys' | 'notifications' | 'editor' | 'reconnect';

export const screenCommands: readonly (CommandSpec & { readonly name: ScreenCommand })[] = [
  { name: 'theme', summary: 'choose the colors' },
  { name: 'vim', summary: 'turn vim keys on or off' },
  { name: 'paste', summary: 'paste an image from the clipboard' },
  { name: 'editor', summary: 'edit the draft in $EDITOR' },
  { name: 'keys', summary: 'show all keys' },
  { name: 'reconnect', summary: 'try to reach the server now' },
  { name: 'notifications', summary: 'turn bell and desktop notifications on or off' },
];

/** Undefined if the line isn't one of them. */
export function screenCommandIn(line: string): ScreenCommand | undefined {
  const name = /^\/([a-z]+)\s*$/i.exec(line.trim())?.[1]?.toLowerCase();
  return screenCommands.find((command) => command.name === name)?.name;
}
