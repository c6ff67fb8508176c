/** Records appended by other processes since the last check. */
import type { SessionId } from '../../kernel/ids.ts';
import type { Commit } from '../../ports/journal.ts';
import type { Driver } from './driver.ts';

interface CommitTrail {
  /** From here on. */
  begin(): void;
  /** False if a poll found them before the writer thread's answer arrived: they were already reported. */
  own(positions: readonly [first: number, last: number]): boolean;
  /** The newest commit of each session that another process wrote, in order. Returned until confirmed. */
  others(): { readonly commits: readonly Commit[]; confirm(): void };
}

const rowsAtOnce = 1000;

export function createCommitTrail(db: Driver): CommitTrail {
  let seen = 0;
  let ownRanges: (readonly [number, number])[] = [];

  const isOwn = (position: number) => ownRanges.some(([first, last]) => position >= first && position <= last);

  return {
    begin() {
      seen = db.get<{ position: number | null }>(selectNewest)?.position ?? 0;
      ownRanges = [];
    },
    own(positions) {
      if (positions[1] <= seen) return false;
      // While nobody else writes, positions are consecutive and nothing is stored.
      if (positions[0] === seen + 1) [, seen] = positions;
      else ownRanges.push(positions);
      return true;
    },
    others() {
      const newest = new Map<SessionId, number>();
      let upTo = seen;
      for (;;) {
        const rows = db.all<TrailRow>(selectSince, upTo, rowsAtOnce);
        for (const { position, session, last } of rows) {
          upTo = position;
          if (!isOwn(position)) newest.set(session, last);
        }
        if (rows.length < rowsAtOnce) break;
      }
      return {
        commits: [...newest].map(([session, seq]) => ({ session, seq })),
        confirm() {
          seen = Math.max(seen, upTo);
          ownRanges = ownRanges.filter(([, last]) => last > seen);
        },
      };
    },
  };
}

interface TrailRow {
  readonly position: number;
  readonly session: SessionId;
  readonly last: number;
}

const selectNewest = 'SELECT max(position) AS position FROM records';
const selectSince = `
  SELECT records.position, sessions.id AS session, records.last FROM records
  JOIN sessions ON sessions.number = records.session WHERE records.position > ? ORDER BY records.position LIMIT ?`;
