import { optional } from '../kernel/optional.ts';
import { sessionCommand, misuse } from './command.ts';
import { noPoint } from './rewind.ts';
import { findPoint } from './rewind-point.ts';

export const fork = sessionCommand({
  name: 'fork',
  parameters: [{ name: 'point' }],
  summary: 'continue in a copy of this session, or from before a prompt (#2) or at an event',
  async run({ point: typed }, { session }) {
    const point = typed === undefined ? undefined : await findPoint(session, typed);
    if (typed !== undefined && point === undefined) return misuse(noPoint('fork', typed));
    const forked = await session.fork(point === undefined ? {} : { at: point.event });
    const draft = point?.before === undefined ? undefined : await session.read(point.before.text);
    return {
      type: 'open',
      session: forked,
      how: 'forked',
      before: session.id,
      ...optional({ draft }),
    };
  },
});
