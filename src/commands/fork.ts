import { optional } from '../kernel/optional.ts';
import type { SessionClient } from '../ports/session-client.ts';
import { sessionCommand, misuse } from './command.ts';
import type { CommandResult } from './command-result.ts';
import { noPoint } from './rewind.ts';
import { findPoint, type Point } from './rewind-point.ts';

export const fork = sessionCommand({
  name: 'fork',
  parameters: [{ name: 'point' }],
  summary: 'continue in a copy of this session, or from before a prompt (#2) or at an event',
  async run({ point: typed }, { session }) {
    const point = typed === undefined ? undefined : await findPoint(session, typed);
    if (typed !== undefined && point === undefined) return misuse(noPoint('fork', typed));
    return forkAt(session, point);
  },
});

export async function forkAt(
  session: Pick<SessionClient, 'id' | 'fork' | 'read'>,
  point: Point | undefined,
): Promise<Extract<CommandResult, { type: 'open' }>> {
  const forked = await session.fork(point === undefined ? {} : { at: point.event });
  const draft = point?.before === undefined ? undefined : await session.read(point.before.text);
  return { type: 'open', session: forked, how: 'forked', before: session.id, ...optional({ draft }) };
}
