import type { Item } from '../views/transcript-item.ts';
import { rewindPoints } from '../views/rewind-points.ts';
import { sessionCommand } from './command.ts';
import { rewoundTo } from './rewind.ts';
import { readItems } from './rewind-point.ts';

/** The newest step back or forward: a rewind if nothing was asked since, else the last prompt with its changes. */
export const undo = sessionCommand({
  name: 'undo',
  summary: 'revert the last rewind, or else take back the last prompt and its changes',
  async run(_args, { session }) {
    const items = await readItems(session);
    const newest = items.findLast((item) => isRewind(item) || isTurn(item));
    if (newest !== undefined && isRewind(newest)) return rewoundTo(session, 'undo', 'both');
    const last = rewindPoints(items).at(-1);
    if (last === undefined) return { type: 'refused', message: 'Nothing to undo.' };
    return rewoundTo(session, { event: last.to, before: last }, 'both');
  },
});

function isRewind(item: Item): boolean {
  return item.type === 'notice' && (item.about.type === 'rewound' || item.about.type === 'files-restored');
}

function isTurn(item: Item): boolean {
  return item.type === 'prompt' && item.taken === 'turn-started';
}
