import { optional } from '../kernel/optional.ts';
import type { QueueChange } from '../kernel/prompt.ts';
import type { SessionClient } from '../ports/session-client.ts';
import { sessionCommand } from './command.ts';
import type { CommandResult } from './command-result.ts';

export const compact = sessionCommand({
  name: 'compact',
  parameters: [{ name: 'keep' }],
  summary: 'summarize the conversation, and name what to keep',
  async run({ keep }, { session }) {
    const receipt = await session.send({ type: 'compact', ...optional({ keep }) });
    if (receipt.type === 'refused') return { type: 'refused', message: receipt.refusal.message };
    return compacted(session, receipt.seq);
  },
});

/** Waits for the turn that serves the request, which is the prompt at `seq`. */
async function compacted(session: SessionClient, seq: number): Promise<CommandResult> {
  let outcome: CommandResult = { type: 'done', text: 'Nothing to summarize.' };
  let isMine = false;
  for await (const update of session.follow({ after: seq - 1 })) {
    // Too far behind to see the end, but the transcript shows it.
    if (update.type === 'snapshot') return { type: 'changed', text: 'Summarizing the conversation.' };
    if (update.type !== 'event') continue;
    const { event } = update.recorded;
    if (event.type === 'turn-started') isMine = event.prompt === seq;
    else if (event.type === 'queue-changed' && takesAway(event.change, seq)) return cancelled;
    else if (isMine && event.type === 'compaction-settled') {
      if (event.outcome.type === 'completed') outcome = { type: 'done', text: summarized };
      else if ('message' in event.outcome) outcome = { type: 'done', text: event.outcome.message };
    } else if (isMine && event.type === 'turn-ended') {
      if (event.ending.type === 'completed') return outcome;
      return event.ending.type === 'cancelled' ? cancelled : { type: 'failed', message: event.ending.message };
    }
  }
  return outcome;
}

const summarized = 'Earlier messages summarized. /history shows all of them.';
const cancelled: CommandResult = { type: 'failed', message: 'The summary was cancelled.' };

function takesAway(change: QueueChange, prompt: number): boolean {
  return change.type === 'cleared' || (change.type === 'removed' && change.prompt === prompt);
}
