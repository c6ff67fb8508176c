/**
 * Sessions that need an owner (O9). Reads only in proportion to what can be claimed: owners are few, and live
 * owners' sessions aren't read.
 */
import type { SessionId } from '../../kernel/ids.ts';
import type { Driver } from './driver.ts';
import type { StoreParts } from './store-parts.ts';
import type { ProcessRow } from '../process-row.ts';

export async function findClaimable(
  { read, watch, self, writer }: StoreParts,
  { at, limit }: { readonly at: number; readonly limit: number },
): Promise<readonly SessionId[]> {
  const { found, idle } = await read('Looking for sessions to claim', (db) => {
    const own = self().id;
    const gone = db
      .all<ProcessRow>('SELECT * FROM processes')
      .filter((row) => row.id !== own && watch.isGone(row));
    return {
      found: claimableIn(db, { at, limit, gone: JSON.stringify(gone.map(({ number }) => number)) }),
      idle: gone.filter(
        (row) =>
          (watch.isDead(row) || at - row.expires_at > forgottenAfterMs) &&
          db.get(selectOwnedBy, row.number) === undefined,
      ),
    };
  });
  // Forgets dead processes that own nothing.
  for (const { id, beat } of idle) await writer.write(['forget-process', [id, beat, true]]);
  return found;
}

function claimableIn(
  db: Driver,
  { at, limit, gone }: { readonly at: number; readonly limit: number; readonly gone: string },
): readonly SessionId[] {
  const found = new Set<SessionId>();
  const add = (sql: string, ...given: readonly (string | number)[]) => {
    if (found.size < limit) for (const { id } of db.all<{ id: SessionId }>(sql, ...given, limit)) found.add(id);
  };
  add(selectLeftBehind, gone);
  add(selectLeftOpen);
  add(selectDue, at, gone);
  add(selectWithLetters, gone);
  return [...found].slice(0, limit);
}

/** A process on another machine that was never seen again. */
const forgottenAfterMs = 86_400_000;

const isFree = 'sessions.owner IS NULL OR sessions.owner IN (SELECT value FROM json_each(?))';
const selectOwnedBy = 'SELECT 1 FROM sessions WHERE owner = ? LIMIT 1';
const selectLeftBehind = `
  SELECT sessions.id FROM sessions JOIN directory ON directory.session = sessions.number
  WHERE sessions.owner IN (SELECT value FROM json_each(?)) AND directory.in_flight = 1 LIMIT ?`;
const selectLeftOpen = 'SELECT id FROM sessions WHERE left_open = 1 LIMIT ?';
const selectDue = `SELECT id FROM sessions WHERE due <= ? AND (${isFree}) ORDER BY due, id LIMIT ?`;
const selectWithLetters = `
  SELECT DISTINCT sessions.id FROM inbox JOIN sessions ON sessions.id = inbox.session
  WHERE inbox.answer IS NULL AND (${isFree}) LIMIT ?`;
