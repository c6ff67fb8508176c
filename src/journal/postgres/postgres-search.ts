/**
 * Search with the database's own full-text index, over words that we split ourselves, so that every store finds the
 * same. The index is brought up to date when somebody searches. A transaction's number is given before it commits, so
 * the next search starts again with the oldest one that was running (O14).
 */
import type { Blobs } from '../../ports/blobs.ts';
import type { StoredRecord } from '../../ports/stored-record.ts';
import type { SearchHit, SearchQuery } from '../../ports/upkeep.ts';
import { excerptOf, searchableText, searchWords } from '../searchable-text.ts';
import type { StoreParts } from './store-parts.ts';

const rowsAtOnce = 200;
/** The index refuses longer words, and texts with more than a megabyte of different words. */
const longestWord = 500;
const mostCharacters = 250_000;

export function createPostgresSearch(
  { db, s }: StoreParts,
  blobs: Blobs,
): (query: SearchQuery) => Promise<readonly SearchHit[]> {
  const doing = 'Searching';

  async function catchUp(): Promise<void> {
    const [state] = await db.rows<{ cursor: string | null; cluster: string; oldest: number }>(
      doing,
      `SELECT (SELECT value FROM ${s}.facts WHERE name = 'searched_to') AS cursor,
         (SELECT system_identifier::text FROM pg_control_system()) AS cluster,
         pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS oldest`,
    );
    if (state === undefined) return;
    // The numbers of a server that this one was restored from mean nothing here.
    const [cluster, from] = (state.cursor ?? '').split(' ');
    const since = cluster === state.cluster ? Number(from) : 0;
    let place = { session: 0, first: 0 };
    for (;;) {
      const rows = await db.rows<StoredRecord & { readonly number: number }>(doing, selectUnindexed(s), [
        since,
        place.session,
        place.first,
        rowsAtOnce,
      ]);
      const indexed: (readonly [number: number, first: number, words: string])[] = [];
      for (const row of rows) {
        const text = await searchableText(row, blobs);
        if (text !== '') indexed.push([row.number, row.first, vectorOf(text)]);
      }
      if (indexed.length > 0) await db.rows(doing, insertWords(s), [indexed]);
      const last = rows.at(-1);
      if (last === undefined || rows.length < rowsAtOnce) break;
      place = { session: last.number, first: last.first };
    }
    await db.rows(
      doing,
      `INSERT INTO ${s}.facts (name, value) VALUES ('searched_to', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [`${state.cluster} ${state.oldest}`],
    );
  }

  return async ({ text, limit = 20, session }) => {
    const words = searchWords(text);
    if (words.length === 0) return [];
    await catchUp();
    const wanted = words.map((word) => `${lexeme(plain(word))}:*`).join(' & ');
    const rows = await db.rows<StoredRecord>(doing, selectHits(s), [wanted, session ?? null, limit]);
    return Promise.all(
      rows.map(async (row) => ({
        session: row.session,
        seq: row.first,
        excerpt: excerptOf(await searchableText(row, blobs), text),
      })),
    );
  };
}

function vectorOf(text: string): string {
  const words = new Set<string>();
  let characters = 0;
  for (const word of searchWords(text)) {
    const short = plain(word);
    if (words.has(short)) continue;
    characters += short.length;
    if (characters > mostCharacters) break;
    words.add(short);
  }
  return [...words].map(lexeme).join(' ');
}

/** Without diacritics, as other stores compare. */
function plain(word: string): string {
  return word.normalize('NFKD').replaceAll(/\p{M}/gu, '').slice(0, longestWord);
}

/** Words consist of letters and digits, so nothing in them needs an escape. */
function lexeme(word: string): string {
  return `'${word}'`;
}

const columns = 'sessions.id AS session, first, last, checksum, body';

const selectUnindexed = (s: string) => `
  SELECT sessions.number, ${columns} FROM ${s}.records JOIN ${s}.sessions ON sessions.number = records.session
  WHERE xid >= $1 AND first IS NOT NULL AND (records.session, first) > ($2, $3)
    AND body ~ '"type":"(session-created|prompt-received|model-settled|agent-reported|worker-reported)"'
    AND NOT EXISTS (SELECT 1 FROM ${s}.search WHERE search.session = records.session AND search.first = records.first)
  ORDER BY records.session, first LIMIT $4`;
const insertWords = (s: string) => `
  INSERT INTO ${s}.search (session, first, words)
  SELECT (x->>0)::bigint, (x->>1)::bigint, (x->>2)::tsvector FROM jsonb_array_elements($1) AS x
  WHERE EXISTS (SELECT 1 FROM ${s}.records WHERE session = (x->>0)::bigint AND first = (x->>1)::bigint)
  ON CONFLICT DO NOTHING`;
/** All hits of one session, or the newest of each. */
const selectHits = (s: string) => `
  SELECT ${columns} FROM (
    SELECT hits.session, hits.first, row_number() OVER (PARTITION BY hits.session ORDER BY hits.first DESC) AS nth
    FROM ${s}.search AS hits WHERE words @@ $1::tsquery
  ) AS hit JOIN ${s}.records USING (session, first) JOIN ${s}.sessions ON sessions.number = hit.session
  WHERE CASE WHEN $2::text IS NULL THEN nth = 1 ELSE sessions.id = $2 END
  ORDER BY xid DESC, first DESC LIMIT $3`;
