import { visibleLine } from '../../views/visible-text.ts';

/**
 * What a hosted agent calls its call. The words are the agent's own, so they are marked as a claim where they come
 * in (S16): journal, JSON lines, audit, notifications, exports and every front end show the mark, and none can forget
 * it. Rules judge the call itself and never this.
 */
export function claimedTitle(agent: string, title: string): string {
  return `${agent} claims: ${visibleLine(title)}`;
}
