import type { QueueChange } from '../kernel/prompt.ts';
import type { Status } from '../views/status.ts';
import { changed } from './changed.ts';
import { sessionCommand, misuse } from './command.ts';

export const queue = sessionCommand({
  name: 'queue',
  parameters: [{ name: 'change' }],
  summary: 'show the queued prompts; pause, resume, clear, remove N',
  async run({ change: words }, { session }) {
    const { queue: waiting } = await session.status();
    if (words === undefined) return { type: 'queue', queue: waiting };
    const change = changeFrom(words.toLowerCase(), waiting);
    if (change === undefined) return misuse(`/queue takes pause, resume, clear or remove N, not "${words}"`);
    return changed(await session.send({ type: 'queue', change }), texts[change.type]);
  },
});

const texts = {
  paused: 'Queue paused.',
  resumed: 'Queue resumed.',
  cleared: 'Queue cleared.',
  removed: 'Prompt removed from the queue.',
} as const;

type Change = Extract<QueueChange, { type: keyof typeof texts }>;

/** Prompts count from 1, as displayed. */
function changeFrom(words: string, { prompts }: Status['queue']): Change | undefined {
  if (words === 'pause') return { type: 'paused' };
  if (words === 'resume') return { type: 'resumed' };
  if (words === 'clear') return { type: 'cleared' };
  const [, place] = /^remove\s+(\d+)$/.exec(words) ?? [];
  const prompt = place === undefined ? undefined : prompts[Number(place) - 1]?.prompt;
  return prompt === undefined ? undefined : { type: 'removed', prompt };
}
