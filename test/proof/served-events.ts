import type { SessionId } from '../../src/kernel/ids.ts';
import type { ServedRondo } from './served-rondo.ts';

export interface SeenEvent {
  readonly seq: number;
  readonly type: string;
  readonly text: string;
}

/** All events of a session from a server, page by page, each with its text for comparison. */
export async function eventsOf(
  server: Pick<ServedRondo, 'get'>,
  session: SessionId,
): Promise<readonly SeenEvent[]> {
  const all: SeenEvent[] = [];
  for (let after = 0; ;) {
    const page = await server.get<{ readonly events: readonly SeenEvent[]; readonly last: number }>(
      `/sessions/${session}/events?after=${after}&limit=500`,
    );
    all.push(...page.events.map((event) => ({ seq: event.seq, type: event.type, text: JSON.stringify(event) })));
    after = page.events.at(-1)?.seq ?? page.last;
    if (page.events.length === 0 || after >= page.last) return all;
  }
}

export async function allSessions(server: Pick<ServedRondo, 'get'>): Promise<readonly SessionId[]> {
  const all: SessionId[] = [];
  for (let cursor = ''; ;) {
    const page = await server.get<{
      readonly entries: readonly { readonly session: SessionId }[];
      readonly cursor?: string;
    }>(`/sessions?limit=100${cursor}`);
    all.push(...page.entries.map(({ session }) => session));
    if (page.cursor === undefined) return all;
    cursor = `&cursor=${encodeURIComponent(page.cursor)}`;
  }
}
