import type { SessionId } from '../../kernel/ids.ts';
import { statusOf } from '../../views/status.ts';
import { visibleLine } from '../../views/visible-text.ts';
import type { CliCommand } from '../command.ts';
import { parseOptions, storedOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { cancelTurn, type CancelResult } from './cancel-turn.ts';
import { namedSession } from './stored-sessions.ts';

const options = {
  reason: { type: 'string', value: 'TEXT', help: 'reason to record' },
  ...storedOptions,
} as const;

export const cancelCommand: CliCommand = {
  usage: ['cancel SESSION [--reason TEXT]'],
  about: `Stops the current work of a session: its model call, its tools with their child processes, and its open questions.
You can prompt the session again later. SESSION is an id, a prefix, or "latest".`,
  options,
  async run(argv) {
    const { values, words } = parseOptions(options, argv, { most: 1 });
    await using stored = await namedSession(words[0], values);
    const { session } = stored;
    const reason = values.reason ?? 'cancelled with rondo cancel';
    const cancelled = await cancelTurn(stored, session, reason);
    const { queue } = statusOf((await stored.load(session)).state);
    const queued = queue.prompts.map(({ prompt, preview }) => ({ prompt, preview }));
    if (values.json === true) printJson({ session, ...cancelled, ...(queued.length > 0 && { queued }) });
    else if (cancelled.type === 'refused') console.error(`rondo cancel: ${session}: ${cancelled.message}`);
    else {
      console.log(textFor(session, cancelled));
      if (queued.length > 0) console.log('Still queued. The next prompt runs these first:');
      for (const { prompt, preview } of queued) console.log(`  #${prompt}  ${visibleLine(preview)}`);
    }
    return cancelled.type === 'refused' ? 1 : 0;
  },
};

function textFor(session: SessionId, cancelled: Exclude<CancelResult, { type: 'refused' }>): string {
  switch (cancelled.type) {
    case 'not-running':
      return `Session ${session} is ${cancelled.state}. Nothing to cancel.`;
    case 'cancelled':
      return `Cancelled session ${session}. No process was running it.`;
    case 'asked':
      return `Process ${cancelled.pid} is cancelling session ${session}.`;
    case 'kept':
      return `Process ${cancelled.pid} doesn't answer. The next process that runs session ${session} cancels it.`;
  }
}
