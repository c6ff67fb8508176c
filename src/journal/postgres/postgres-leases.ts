import { randomUUID } from 'node:crypto';

import type { SessionId } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { StoredRecord } from '../../ports/stored-record.ts';
import { decodeRecord } from '../codec.ts';
import { readNeeds } from '../needed-labels.ts';
import type { LeaseRows } from '../process-leases.ts';
import { ownerOf, type ProcessRow, type ReleaseAnswer } from '../process-row.ts';
import { findClaimable, needsColumn } from './claimable.ts';
import { logStart, opaque } from '../log-position.ts';
import { markDamage } from './postgres-journal.ts';
import type { StoreParts } from './store-parts.ts';

export function postgresLeaseRows(parts: StoreParts): LeaseRows {
  const { db, s, self, clock, leaseMs } = parts;

  /** Damage of the newest record shows before the owner appends after it. */
  async function checkNewest(session: SessionId, { newest, least, damage }: Claimed): Promise<void> {
    if (damage !== null) return;
    const last = newest?.last ?? 0;
    if (newest === null || last < least) {
      if (last < least)
        await markDamage(parts, session, { seq: last + 1, reason: 'the newest records are missing' });
      return;
    }
    const decoded = decodeRecord({ ...newest, session });
    if (decoded.type === 'decoded') return;
    const reason = `the record at ${newest.first} is damaged: ${decoded.reason}`;
    await markDamage(parts, session, { seq: newest.first, reason });
  }

  return {
    async holder(session) {
      const [row] = await db.rows<{ readonly needs: string | null } & (ProcessRow | NoProcess)>(
        `Looking for the owner of session ${session}`,
        `SELECT processes.*, ${needsColumn} AS needs FROM ${s}.sessions
         LEFT JOIN ${s}.processes ON processes.number = sessions.owner
         LEFT JOIN ${s}.directory ON directory.session = sessions.number WHERE sessions.id = $1`,
        [session],
      );
      return { holder: row === undefined || row.id === null ? undefined : row, needs: readNeeds(row?.needs) };
    },
    async claim(session, gone) {
      const id = randomUUID();
      const answer = await db.value<ClaimRow>(
        `Claiming session ${session}`,
        `SELECT ${s}.claim($1, $2, $3, $4, $5)`,
        [session, self(), gone, id, clock.now()],
      );
      if (answer.type === 'lost') return 'lost';
      if (answer.type === 'held') return { type: 'held', owner: ownerOf(answer.owner) };
      await checkNewest(session, answer);
      const { epoch, isUnclean, fences, position } = answer;
      return { type: 'claimed', epoch, isUnclean, fences, position: opaque({ at: position, append: id, epoch }) };
    },
    async cleaned(session, epoch) {
      await db.rows(`Cleaning session ${session}`, `SELECT ${s}.cleaned($1, $2)`, [session, epoch]);
    },
    // Part of a drain, which is short: a silent connection isn't waited for.
    async release(session, epoch, isUnclean) {
      const sql = `SELECT ${s}.release($1, $2, $3, $4) AS answer`;
      const values = [session, self().id, epoch, isUnclean];
      const [row] = await db.soon<{ answer: ReleaseAnswer }>(`Releasing session ${session}`, sql, values);
      invariant(row !== undefined, 'postgres: a release has one answer');
      return row.answer;
    },
    async renew() {
      const sql = `SELECT ${s}.renew($1, $2) AS count`;
      // By then the next one is due. Neither a silent connection nor a crowd of statements may cost the lease.
      const firstMs = leaseMs / 5;
      const [row] = await db.urgently<Renewed>('Renewing the lease', sql, [self().id, clock.now()], firstMs);
      return row?.count ?? 'lost';
    },
    async leave() {
      await db.soon('Leaving the store', `SELECT ${s}.leave($1, $2)`, [self().id, randomUUID()]);
    },
    requestHandOver: (session, withinMs) =>
      db.value<boolean>(`Asking for session ${session}`, `SELECT ${s}.hand_over($1, $2, $3)`, [
        session,
        self().id,
        withinMs,
      ]),
    claimable: (look) => findClaimable(parts, look),
    start: logStart,
  };
}

type NoProcess = Readonly<Record<keyof ProcessRow, null>>;

interface Renewed {
  readonly count: number | null;
}

type ClaimRow = { readonly type: 'lost' } | { readonly type: 'held'; readonly owner: ProcessRow } | Claimed;

interface Claimed {
  readonly type: 'claimed';
  readonly epoch: number;
  readonly isUnclean: boolean;
  readonly fences: number;
  readonly position: number;
  readonly least: number;
  readonly damage: number | null;
  readonly newest: Omit<StoredRecord, 'session'> | null;
}
