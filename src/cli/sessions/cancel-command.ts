import type { SessionId } from '../../kernel/ids.ts';
import { turnOf } from '../../kernel/state.ts';
import { doingLine } from '../../views/doing.ts';
import { lifecycleOf } from '../../views/status.ts';
import type { CliCommand } from '../command.ts';
import { commonOptions, jsonOption, parseOptions, storeOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { cancelAsleep } from './cancel-asleep.ts';
import { deliver, livingOwner } from './reach-session.ts';
import { namedSession, type StoredSessions } from './stored-sessions.ts';

const options = {
  reason: { type: 'string', value: 'TEXT', help: 'reason to record' },
  ...jsonOption,
  ...storeOptions,
  ...commonOptions,
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
    const cancelled = await cancel(stored, session, reason);
    if (values.json === true) printJson({ session, ...cancelled });
    else if (cancelled.type === 'refused') console.error(`rondo cancel: ${session}: ${cancelled.message}`);
    else console.log(textFor(session, cancelled));
    return cancelled.type === 'refused' ? 1 : 0;
  },
};

type Cancelled =
  | { readonly type: 'not-running'; readonly state: string }
  | { readonly type: 'cancelled' }
  | { readonly type: 'asked'; readonly pid: number }
  /** The owner doesn't answer, or ended since: the next one cancels. */
  | { readonly type: 'kept'; readonly pid: number }
  | { readonly type: 'refused'; readonly message: string };

async function cancel(stored: StoredSessions, session: SessionId, reason: string): Promise<Cancelled> {
  const { state } = await stored.load(session);
  const lifecycle = lifecycleOf(state);
  if (turnOf(state) === undefined) return { type: 'not-running', state: doingLine(state) ?? lifecycle };
  const owner = await livingOwner(stored.store, session);
  if (owner === undefined) {
    await cancelAsleep(stored.store, session, reason);
    return { type: 'cancelled' };
  }
  const done = await deliver(stored.store, session, { type: 'interrupted', reason });
  return done.type === 'kept' ? { type: 'kept', pid: owner.pid } : done;
}

function textFor(session: SessionId, cancelled: Exclude<Cancelled, { type: 'refused' }>): string {
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
