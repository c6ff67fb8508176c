import type { SessionId } from '../../kernel/ids.ts';
import { positionAt } from '../epoch-position.ts';
import { readNeeds } from '../needed-labels.ts';
import type { LeaseRows } from '../process-leases.ts';
import type { ClaimWritten, ProcessRow, ReleaseAnswer } from '../process-row.ts';
import { findClaimable, needsIn } from './claimable.ts';
import type { StoreParts } from './store-parts.ts';

export function sqliteLeaseRows(parts: StoreParts): LeaseRows {
  const { read, writer } = parts;
  return {
    holder: (session) =>
      read(`Looking for the owner of session ${session}`, (db) => ({
        holder: db.get<ProcessRow>(selectHolder, session),
        needs: readNeeds(db.get<{ needs: string | null }>(selectNeeds, session)?.needs),
      })),
    async claim(session: SessionId, gone) {
      const answer = (await writer.write(['claim', session, gone])) as ClaimWritten<unknown>;
      if (answer === 'lost' || answer.type === 'held') return answer;
      return { ...answer, position: positionAt(answer.epoch) };
    },
    async cleaned(session, epoch) {
      await writer.write(['cleaned', session, epoch]);
    },
    release: async (session, epoch, isUnclean) =>
      (await writer.write(['release', session, epoch, isUnclean])) as ReleaseAnswer,
    renew: async () => (await writer.write(['renew'])) as number | 'lost',
    async leave() {
      await writer.write(['leave']);
    },
    requestHandOver: async (session, withinMs) =>
      (await writer.write(['hand-over', session, withinMs])) as boolean,
    claimable: (look) => findClaimable(parts, look),
    start: positionAt(1),
  };
}

const selectNeeds = `SELECT ${needsIn('directory')} AS needs FROM directory WHERE id = ?`;
const selectHolder = `
  SELECT processes.* FROM sessions
  JOIN processes ON processes.number = sessions.owner WHERE sessions.id = ?`;
