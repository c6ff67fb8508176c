/**
 * Sessions that need an owner (O9). Reads only in proportion to what can be claimed: owners are few, and live
 * owners' sessions aren't read.
 */
import type { SessionId } from '../../kernel/ids.ts';
import type { ClaimableLook, ClaimableSession } from '../../ports/lease.ts';
import { readNeeds } from '../needed-labels.ts';
import { readerVersion } from '../reader-version.ts';
import type { Driver } from './driver.ts';
import type { StoreParts } from './store-parts.ts';
import { isForgotten, type ProcessRow } from '../process-row.ts';

export async function findClaimable(
  { read, watch, self, writer }: StoreParts,
  look: ClaimableLook,
): Promise<readonly ClaimableSession[]> {
  const { sessions, idle } = await read('Looking for sessions to claim', (db) => {
    const own = self().id;
    const gone = db
      .all<ProcessRow>('SELECT * FROM processes')
      .filter((row) => row.id !== own && watch.isGone(row));
    return {
      sessions: claimableIn(db, { ...look, gone: JSON.stringify(gone.map(({ number }) => number)) }),
      idle: gone.filter(
        (row) =>
          (watch.isDead(row) || isForgotten(row, look.at)) && db.get(selectOwnedBy, row.number) === undefined,
      ),
    };
  });
  // Forgets dead processes that own nothing.
  for (const { id, beat } of idle) await writer.write(['forget-process', [id, beat, true]]);
  return sessions;
}

function claimableIn(
  db: Driver,
  { at, limit, offers, gone }: ClaimableLook & { readonly gone: string },
): readonly ClaimableSession[] {
  const offered = offers === undefined ? null : JSON.stringify(offers);
  const byId = new Map<SessionId, ClaimableSession>();
  const add = (sql: string, ...given: readonly (string | number)[]) => {
    if (byId.size >= limit) return;
    for (const { id, needs } of db.all<ClaimableRow>(sql, ...given, offered, limit))
      byId.set(id, { session: id, needs: readNeeds(needs) });
  };
  add(selectLeftBehind, gone);
  add(selectLeftOpen);
  add(selectDue, at, gone);
  add(selectWithLetters, gone);
  return [...byId.values()].slice(0, limit);
}

interface ClaimableRow {
  readonly id: SessionId;
  readonly needs: string | null;
}

/** The labels in a directory row, as JSON text. Few rows have any, so most aren't parsed. */
export function needsIn(row: string): string {
  return `CASE WHEN instr(${row}.entry, '"needs":') > 0 THEN json_extract(${row}.entry, '$.needs') END`;
}

const isFree = 'sessions.owner IS NULL OR sessions.owner IN (SELECT value FROM json_each(?))';
/** This release reads it, and its labels are offered (`?`; NULL: all of them). */
const isServed = `sessions.least_reader <= ${readerVersion} AND NOT EXISTS (
  SELECT 1 FROM json_each(${needsIn('directory')}) AS needed
  JOIN (SELECT ? AS labels) AS offered ON labels IS NOT NULL
  WHERE needed.value NOT IN (SELECT value FROM json_each(labels)))`;
const selectOwnedBy = 'SELECT 1 FROM sessions WHERE owner = ? LIMIT 1';
const withEntry = `SELECT sessions.id, ${needsIn('directory')} AS needs FROM sessions
  LEFT JOIN directory ON directory.session = sessions.number`;
const selectLeftBehind = `${withEntry}
  WHERE sessions.owner IN (SELECT value FROM json_each(?)) AND directory.in_flight = 1 AND ${isServed} LIMIT ?`;
const selectLeftOpen = `${withEntry} WHERE left_open = 1 AND ${isServed} LIMIT ?`;
const selectDue = `${withEntry}
  WHERE due <= ? AND (${isFree}) AND ${isServed} ORDER BY due, sessions.id LIMIT ?`;
const selectWithLetters = `${withEntry}
  WHERE sessions.id IN (SELECT session FROM inbox WHERE answer IS NULL) AND (${isFree}) AND ${isServed} LIMIT ?`;
