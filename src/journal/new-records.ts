import { invariant } from '../kernel/invariant.ts';
import type { AppendRequest } from '../ports/journal.ts';

/** An empty append, or a record without an event, is a bug in the caller. */
export function assertRecords({ records, creation, expected, settles = [] }: AppendRequest): void {
  invariant(creation === undefined || expected === 0, 'journal: only a first append creates');
  invariant(records.length > 0 || settles.length > 0, 'journal: an append has records or settles letters');
  for (const { events } of records) invariant(events.length > 0, 'journal: a record has events');
}
