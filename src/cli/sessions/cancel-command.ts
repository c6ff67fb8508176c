import { interruptTurn } from '../../commands/interrupt.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { doingLine } from '../../views/doing.ts';
import { statusOf } from '../../views/status.ts';
import { visibleLine } from '../../views/visible-text.ts';
import type { CliCommand } from '../command.ts';
import { parseOptions, storedOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { storedClient, type InputRoute } from './stored-client.ts';
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
    await using client = storedClient(stored, session);
    const reason = values.reason ?? 'cancelled with rondo cancel';
    const result = await interruptTurn(client, reason);
    const { state } = await stored.load(session);
    const { queue, lifecycle } = statusOf(state);
    const queued = queue.prompts.map(({ prompt, preview }) => ({ prompt, preview }));
    const rest = queued.length > 0 && { queued };
    if (result.type === 'refused') {
      const { message } = result;
      if (values.json === true) printJson({ session, type: 'refused', message, ...rest });
      else console.error(`rondo cancel: ${session}: ${message}`);
      return 1;
    }
    const cancelled: Cancelled =
      result.type === 'done'
        ? { type: 'not-running', state: doingLine(state) ?? lifecycle }
        : cancelledBy(client.route());
    if (values.json === true) printJson({ session, ...cancelled, ...rest });
    else {
      console.log(textFor(session, cancelled));
      if (queued.length > 0) console.log('Still queued. The next prompt runs these first:');
      for (const { prompt, preview } of queued) console.log(`  #${prompt}  ${visibleLine(preview)}`);
    }
    return 0;
  },
};

type Cancelled =
  | { readonly type: 'not-running'; readonly state: string }
  | { readonly type: 'cancelled' }
  | { readonly type: 'asked' | 'kept'; readonly pid: number | undefined };

function cancelledBy(route: InputRoute): Cancelled {
  switch (route.type) {
    case 'cancelled':
      return route;
    case 'asked':
      return { type: 'asked', pid: route.pid };
    case 'kept':
      return { type: 'kept', pid: route.silent };
  }
}

function textFor(session: SessionId, cancelled: Cancelled): string {
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
