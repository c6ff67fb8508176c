/** Sessions that need an owner (O9). Live owners' sessions aren't read. */
import type { SessionId } from '../../kernel/ids.ts';
import type { ProcessRow } from '../process-row.ts';
import type { StoreParts } from './store-parts.ts';

/** A process on another machine that was never seen again. */
const forgottenAfterMs = 86_400_000;

export async function findClaimable(
  { db, s, watch, self }: StoreParts,
  { at, limit }: { readonly at: number; readonly limit: number },
): Promise<readonly SessionId[]> {
  const doing = 'Looking for sessions to claim';
  const processes = await db.rows<ProcessRow & { readonly owns: boolean }>(
    doing,
    `SELECT *, EXISTS (SELECT 1 FROM ${s}.sessions WHERE owner = processes.number) AS owns FROM ${s}.processes`,
  );
  const gone = processes.filter((row) => row.id !== self().id && watch.isGone(row));
  const found = await db.rows<{ id: SessionId }>(doing, select(s), [gone.map(({ number }) => number), at, limit]);
  // Forgets dead processes that own nothing.
  for (const row of gone) {
    if (row.owns || (!watch.isDead(row) && at - row.expires_at <= forgottenAfterMs)) continue;
    await db.rows(doing, `SELECT ${s}.forget_process($1, $2)`, [row.id, row.beat]);
  }
  return found.map(({ id }) => id);
}

const isFree = '(owner IS NULL OR owner IN (SELECT x::bigint FROM jsonb_array_elements_text($1) AS x))';

const select = (s: string) => `
  SELECT id FROM (
    SELECT id, min(kind) AS kind, min(place) AS place FROM (
      (SELECT sessions.id, 1 AS kind, 0 AS place FROM ${s}.sessions JOIN ${s}.directory ON directory.session = number
       WHERE owner IN (SELECT x::bigint FROM jsonb_array_elements_text($1) AS x) AND in_flight = 1 LIMIT $3)
      UNION ALL (SELECT id, 2, 0 FROM ${s}.sessions WHERE left_open = 1 LIMIT $3)
      UNION ALL (SELECT id, 3, due FROM ${s}.sessions WHERE due <= $2 AND ${isFree} ORDER BY due, id LIMIT $3)
      UNION ALL (SELECT DISTINCT sessions.id, 4, 0 FROM ${s}.inbox JOIN ${s}.sessions ON sessions.id = inbox.session
       WHERE answer IS NULL AND ${isFree} LIMIT $3)
    ) AS each_ GROUP BY id
  ) AS found ORDER BY kind, place, id LIMIT $3`;
