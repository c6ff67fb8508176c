/** Updates that an agent sends between turns, kept for its next one up to a limit. The rest is counted. */
import type { AgentUpdate } from './read-update.ts';

interface LateUpdates {
  keep(update: AgentUpdate): void;
  take(): { readonly updates: readonly AgentUpdate[]; readonly lost: number };
}

const most = { updates: 1000, length: 4 * 1024 * 1024 };

export function createLateUpdates(): LateUpdates {
  let updates: AgentUpdate[] = [];
  let length = 0;
  let lost = 0;
  return {
    keep(update) {
      length += update.type === 'text' ? update.text.length : JSON.stringify(update).length;
      if (updates.length < most.updates && length <= most.length) updates.push(update);
      else lost += 1;
    },
    take() {
      const taken = { updates, lost };
      [updates, length, lost] = [[], 0, 0];
      return taken;
    },
  };
}
