import type { SessionClient } from '../ports/session-client.ts';
import { changed } from './changed.ts';
import { sessionCommand } from './command.ts';
import type { CommandResult } from './command-result.ts';

export const interrupt = sessionCommand({
  name: 'interrupt',
  aliases: ['cancel'],
  parameters: [{ name: 'reason' }],
  summary: 'stop the current turn',
  run: ({ reason }, { session }) => interruptTurn(session, reason),
});

/** `done`: there was no turn to stop. */
export async function interruptTurn(
  session: Pick<SessionClient, 'status' | 'interrupt'>,
  reason: string | undefined,
): Promise<CommandResult> {
  if ((await session.status()).turn === undefined) return { type: 'done', text: 'No turn is running.' };
  return changed(await session.interrupt(reason), 'Stopping the turn.');
}
