import { optional } from '../kernel/optional.ts';
import type { RewindOptions } from '../ports/rewind.ts';
import type { SessionClient } from '../ports/session-client.ts';
import { sessionCommand, misuse } from './command.ts';
import type { CommandResult } from './command-result.ts';
import { findPoint, readPoints, type Point } from './rewind-point.ts';

export const rewind = sessionCommand({
  name: 'rewind',
  parameters: [{ name: 'point' }, { name: 'what' }],
  summary: 'go back to before a prompt (#2) or to an event; add chat or files for only one',
  async run({ point: typed, what = 'both' }, { session }) {
    if (typed === undefined) return { type: 'points', points: await readPoints(session) };
    const axes = axesOf[what.toLowerCase()];
    if (axes === undefined) return misuse(`/rewind takes chat or files after the point, not "${what}"`);
    if (typed.toLowerCase() === 'undo') return rewoundTo(session, 'undo', axes);
    const point = await findPoint(session, typed);
    if (point === undefined) return misuse(noPoint('rewind', typed, ', or "undo"'));
    return rewoundTo(session, point, axes);
  },
});

type Axes = NonNullable<RewindOptions['axes']>;

const axesOf: Readonly<Record<string, Axes>> = { both: 'both', chat: 'conversation', files: 'files' };

export async function rewoundTo(
  session: Pick<SessionClient, 'id' | 'rewind' | 'changes' | 'read'>,
  to: Point | 'undo',
  axes: Axes,
): Promise<Extract<CommandResult, { type: 'rewound' | 'refused' }>> {
  const foreign = to === 'undo' || axes === 'conversation' ? undefined : await foreignSince(session, to);
  const result = await session.rewind({ to: to === 'undo' ? to : to.event, axes });
  if (result.type === 'refused') return { type: 'refused', ...result.refusal };
  const before = to === 'undo' || to.before === undefined ? undefined : await session.read(to.before.text);
  return { type: 'rewound', session: session.id, result, ...optional({ before, foreign }) };
}

async function foreignSince(
  session: Pick<SessionClient, 'changes'>,
  { event }: Point,
): Promise<readonly string[] | undefined> {
  const changes = await session.changes({ since: event });
  const foreign = changes.type === 'diff' ? changes.changes.filter(({ isForeign }) => isForeign === true) : [];
  return foreign.length === 0 ? undefined : foreign.map(({ path }) => path);
}

export function noPoint(command: string, typed: string, orElse = ''): string {
  return `No such point: "${typed}". /${command} takes a prompt such as #2${orElse}, or an event's number; /rewind alone lists the prompts`;
}
