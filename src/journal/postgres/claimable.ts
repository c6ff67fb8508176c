/** Sessions that need an owner (O9). Live owners' sessions aren't read. */
import type { SessionId } from '../../kernel/ids.ts';
import type { ClaimableLook, ClaimableSession } from '../../ports/lease.ts';
import { readNeeds } from '../needed-labels.ts';
import { readerVersion } from '../reader-version.ts';
import { isForgotten, type ProcessRow } from '../process-row.ts';
import type { StoreParts } from './store-parts.ts';

export async function findClaimable(
  { db, s, watch, self }: StoreParts,
  { at, limit, offers }: ClaimableLook,
): Promise<readonly ClaimableSession[]> {
  const doing = 'Looking for sessions to claim';
  const processes = await db.rows<ProcessRow & { readonly owns: boolean }>(
    doing,
    `SELECT *, EXISTS (SELECT 1 FROM ${s}.sessions WHERE owner = processes.number) AS owns FROM ${s}.processes`,
  );
  const gone = processes.filter((row) => row.id !== self().id && watch.isGone(row));
  const rows = await db.rows<{ id: SessionId; needs: string | null }>(doing, select(s), [
    gone.map(({ number }) => number),
    at,
    limit,
    offers ?? null,
  ]);
  // Forgets dead processes that own nothing.
  for (const row of gone) {
    if (row.owns || (!watch.isDead(row) && !isForgotten(row, at))) continue;
    await db.rows(doing, `SELECT ${s}.forget_process($1, $2)`, [row.id, row.beat]);
  }
  return rows.map(({ id, needs }) => ({ session: id, needs: readNeeds(needs) }));
}

/** The labels in a directory row, as JSON text. As a pattern, because PostgreSQL can't parse escaped NULs. */
export const needsColumn = String.raw`substring(entry from '"needs":(\[[^]]*\])')`;

const isGone = 'owner IN (SELECT x::bigint FROM jsonb_array_elements_text($1) AS x)';
const isFree = `(owner IS NULL OR ${isGone})`;
/** Without offered labels, every session. */
const isServed = `coalesce($4::jsonb @> (${needsColumn})::jsonb, true)`;

const select = (s: string) => `
  WITH each_ AS NOT MATERIALIZED (
    SELECT sessions.id, owner, due, left_open, in_flight, ${needsColumn} AS needs, ${isServed} AS served
    FROM ${s}.sessions LEFT JOIN ${s}.directory ON directory.session = number
    WHERE least_reader <= ${readerVersion})
  SELECT id, needs FROM (
    SELECT id, needs, min(kind) AS kind, min(place) AS place FROM (
      (SELECT id, needs, 1 AS kind, 0 AS place FROM each_ WHERE ${isGone} AND in_flight = 1 AND served LIMIT $3)
      UNION ALL (SELECT id, needs, 2, 0 FROM each_ WHERE left_open = 1 AND served LIMIT $3)
      UNION ALL (SELECT id, needs, 3, due FROM each_ WHERE due <= $2 AND ${isFree} AND served ORDER BY due, id LIMIT $3)
      UNION ALL (SELECT id, needs, 4, 0 FROM each_ WHERE id IN (SELECT session FROM ${s}.inbox WHERE answer IS NULL)
       AND ${isFree} AND served LIMIT $3)
    ) AS some_ GROUP BY id, needs
  ) AS found ORDER BY kind, place, id LIMIT $3`;
