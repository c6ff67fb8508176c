/** The tree of a session and its relatives: from the first origin down, with forks and rewinds in event order. */
import type { Journal } from '../../ports/journal.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { loadSession } from '../read/load-session.ts';
import { readSpan } from '../read/read-span.ts';

export interface BranchNode {
  readonly session: SessionId;
  readonly title: string;
  readonly state: string;
  readonly events: number;
  readonly branches: readonly Branch[];
}

export type Branch =
  | { readonly type: 'fork'; readonly at: number; readonly node: BranchNode }
  | { readonly type: 'rewound' | 'files-restored'; readonly at: number; readonly to: number };

export async function branchTreeOf(journal: Journal, session: SessionId): Promise<BranchNode> {
  let root = session;
  for (;;) {
    const origin = (await loadSession(journal, root))?.state.origin?.session;
    if (origin === undefined || (await journal.head(origin)) === undefined) return nodeOf(journal, root);
    root = origin;
  }
}

async function nodeOf(journal: Journal, session: SessionId): Promise<BranchNode> {
  const loaded = await loadSession(journal, session);
  const events = await readSpan(journal, session, { from: 1 });
  const returns = events.flatMap(({ event, seq }): readonly Branch[] =>
    event.type === 'rewound' || event.type === 'files-restored'
      ? [{ type: event.type, at: seq, to: event.to }]
      : [],
  );
  const { entries } = await journal.list({ origin: session, limit: mostForks });
  const forks = await Promise.all(
    entries.map(async ({ session: fork, origin }): Promise<Branch> => {
      return { type: 'fork', at: origin?.at ?? 0, node: await nodeOf(journal, fork) };
    }),
  );
  return {
    session,
    title: loaded?.state.title ?? '',
    state: loaded?.state.phase.type ?? 'gone',
    events: events.length,
    branches: [...returns, ...forks].toSorted((a, b) => a.at - b.at),
  };
}

const mostForks = 1000;
