/** Tells which prompts of a session are queued: those before a run's own run first, under the rules of this run. */
import type { Update } from '../../session/update.ts';
import type { Status } from '../../views/status.ts';
import { visibleLine } from '../../views/visible-text.ts';

type Queued = Status['queue']['prompts'][number];

export function createQueueNotice(say: (line: string) => void) {
  let before: readonly Queued[] = [];
  let isBehind = false;
  return {
    /** `given`: the run's own prompt, which isn't sent yet. */
    begin({ queue, questions, turn }: Status, given: string | undefined): void {
      const runs = given !== undefined || !queue.paused;
      before = runs ? queue.prompts : [];
      isBehind = given !== undefined && before.length > 0;
      if (turn !== undefined && given !== undefined) {
        const ids = questions.map(({ id }) => id).join(', ');
        say(`Your prompt is queued behind ${ids === '' ? 'the work that runs now' : ids}.`);
      }
      if (before.length > 0)
        say(given === undefined ? 'Queued, and run next:' : 'Queued before your prompt, and run first:');
      for (const queued of before) say(queuedLine(queued));
    },
    update(update: Update): void {
      if (update.type !== 'event' || update.recorded.event.type !== 'turn-started') return;
      const { prompt } = update.recorded.event;
      const queued = before.find((other) => other.prompt === prompt);
      if (queued !== undefined) say(`Running the queued prompt ${queuedLine(queued).trim()}`);
      else if (isBehind) {
        isBehind = false;
        say('Running your prompt:');
      }
    },
  };
}

export function queuedLine({ prompt, preview }: Queued): string {
  return `  #${prompt}  ${visibleLine(preview)}`;
}
