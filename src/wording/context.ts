import type { ContextPart, ContextShare } from '../views/context-share.ts';
import { grouped } from './counted.ts';
import { percentText } from './percent.ts';

/** Display names of the parts. */
export const contextPartWords: Readonly<Record<ContextPart['name'], string>> = {
  system: 'system and tools',
  summary: 'summary',
  user: 'user',
  assistant: 'assistant',
  tools: 'tool results',
  notices: 'notices',
};

/** How full the window is, in one line. */
export function contextHeadline({ tokens, window, isCounted }: ContextShare): string {
  const share =
    window === undefined
      ? `${grouped(tokens)} tokens, size of the window unknown`
      : `${grouped(tokens)} of ${grouped(window)} tokens (${percentText(tokens, window)})`;
  return `${share}, ${isCounted ? 'counted by the provider up to its last call' : 'estimated'}`;
}
