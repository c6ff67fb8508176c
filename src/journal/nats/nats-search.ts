/**
 * Search in what was said. This process keeps the texts that it has read, and reads only what came since. The newest
 * messages come first.
 */
import type { SessionId } from '../../kernel/ids.ts';
import type { Blobs } from '../../ports/blobs.ts';
import type { KeyedRecord, SearchHit, Upkeep } from '../../ports/upkeep.ts';
import { excerptOf, holdsWords, searchableText, searchWords } from '../searchable-text.ts';
import type { SessionListing } from './session-directory.ts';
import type { NatsParts } from './store-parts.ts';

type Records = (session: SessionId, after: number, limit: number) => Promise<readonly KeyedRecord[]>;

interface Said {
  /** The newest event that was read, and in which state of the session. */
  readonly reached: number;
  readonly epoch: string;
  readonly texts: readonly { readonly first: number; readonly text: string }[];
}

export function createNatsSearch(
  { directory, blobs }: Pick<NatsParts, 'directory'> & { readonly blobs: Blobs },
  records: Records,
): Upkeep['search'] {
  const index = new Map<SessionId, Said>();

  async function saidIn({ session, head }: SessionListing): Promise<Said> {
    // Repairs replace events.
    const epoch = JSON.stringify(head.voids ?? []);
    const before = index.get(session);
    const start =
      before?.epoch === epoch && before.reached <= head.seq ? before : { reached: 0, epoch, texts: [] };
    if (start.reached === head.seq) return start;
    const newer = await records(session, start.reached, Infinity);
    const texts = await Promise.all(
      newer.map(async (record) => ({ first: record.first, text: await searchableText(record, blobs) })),
    );
    const entry: Said = {
      epoch,
      reached: newer.at(-1)?.last ?? start.reached,
      texts: [...start.texts, ...texts.filter(({ text }) => text !== '')],
    };
    index.set(session, entry);
    return entry;
  }

  return async ({ text, limit = 20, session: wanted }) => {
    if (searchWords(text).length === 0) return [];
    const all = await directory.all();
    for (const session of index.keys()) if (!all.has(session)) index.delete(session);
    const sessions = [...all.values()]
      .filter(({ session, isPending }) => isPending !== true && (wanted === undefined || session === wanted))
      .toSorted((a, b) => (b.entry?.updatedAt ?? 0) - (a.entry?.updatedAt ?? 0));
    const hits: SearchHit[] = [];
    for (const listed of sessions) {
      const { texts } = await saidIn(listed);
      const holding = texts.filter((one) => holdsWords(one.text, text)).toReversed();
      for (const hit of wanted === undefined ? holding.slice(0, 1) : holding) {
        hits.push({ session: listed.session, seq: hit.first, excerpt: excerptOf(hit.text, text) });
        if (hits.length === limit) return hits;
      }
    }
    return hits;
  };
}
