import { visibleLine } from '../../views/visible-text.ts';

/**
 * A hosted agent's title for its call. The text is the agent's, so it is marked as a claim on arrival (S16):
 * journal, JSON lines, audit, notifications, exports and every front end show the mark, and none can omit it. Rules
 * judge the call itself, never its title.
 */
export function claimedTitle(agent: string, title: string): string {
  return `${agent} claims: ${visibleLine(title)}`;
}
