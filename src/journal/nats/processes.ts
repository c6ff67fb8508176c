/**
 * The processes that own sessions. A lease is a counter: the sequence of the process's newest message (O5). Renewing
 * writes after the last renewal, and an observer marks a process as gone by writing after the one that it saw. So one
 * of the two wins.
 */
import type { Owner } from '../../ports/lease.ts';
import type { GoneOwner, ProcessRow } from '../process-row.ts';
import type { NatsClient } from './nats-client.ts';
import type { StoreLayout } from './store-layout.ts';

export interface Processes {
  find(id: string): Promise<ProcessRow | undefined>;
  all(): Promise<readonly ProcessRow[]>;
  /** Registers this process if it isn't. False: another one took its lease. */
  register(): Promise<boolean>;
  /** Returns the incremented count. */
  renew(): Promise<number | 'lost'>;
  /** Marks a process whose count is still the one that was seen. False: it renewed its lease, or left. */
  take(gone: GoneOwner): Promise<boolean>;
  /** Forgets this process. */
  leave(): Promise<void>;
  forget(row: ProcessRow): Promise<void>;
}

export interface ProcessParts {
  readonly client: NatsClient;
  readonly layout: StoreLayout;
  readonly self: () => Owner;
  readonly now: () => number;
}

export function createProcesses({ client, layout, self, now }: ProcessParts): Processes {
  const doing = 'Reading leases';
  const subjectOf = (id: string) => layout.subject('live', 'process', id);
  /** The sequence of this process's newest message. */
  let beat: number | undefined;
  let before: Promise<unknown> = Promise.resolve();

  /** One write to the own row after another: each follows the last one, and two at once look like a lost lease. */
  function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const mine = before.then(work);
    before = mine.catch(() => undefined);
    return mine;
  }

  const own = (taken: 0 | 1 = 0) => {
    const { id, pid, startedAt, bootId, host } = self();
    return { id, pid, started_at: startedAt, boot_id: bootId, host, expires_at: now(), taken };
  };

  async function find(id: string): Promise<ProcessRow | undefined> {
    let message = await client.last(doing, layout.live, subjectOf(id));
    if (message === undefined) {
      // A leader that was just elected may not know it yet. It does once it acknowledged a message.
      await client.publish(doing, layout.subject('live', 'look'), '');
      message = await client.last(doing, layout.live, subjectOf(id));
    }
    if (message === undefined) return undefined;
    const row = JSON.parse(message.body.toString()) as Omit<ProcessRow, 'number' | 'beat'>;
    return { number: message.seq, ...row, beat: message.seq };
  }

  /** Its newest message may be one that it sent and nobody acknowledged. False: another process took the lease. */
  function adopt(row: ProcessRow | undefined): boolean {
    if (row?.taken === 0) beat = row.beat;
    return row?.taken === 0;
  }

  const write = (row: object, id: string, expected: number) =>
    client.publish('Renewing the lease', subjectOf(id), JSON.stringify(row), { expected, stream: layout.live });

  return {
    find,
    async all() {
      const subjects = await client.subjects(doing, layout.live, layout.subject('live', 'process', '*'));
      const rows = await Promise.all(subjects.map((subject) => find(subject.split('.').at(-1) ?? '')));
      return rows.filter((row) => row !== undefined).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    },
    register: () =>
      inTurn(async () => {
        beat ??= await write(own(), self().id, 0);
        return adopt(await find(self().id));
      }),
    renew: () =>
      inTurn(async () => {
        if (beat === undefined) return 'lost';
        let renewed = await write(own(), self().id, beat);
        if (renewed === undefined && adopt(await find(self().id))) {
          renewed = await write(own(), self().id, beat);
        }
        if (renewed !== undefined) beat = renewed;
        return renewed ?? 'lost';
      }),
    async take([id, seen]) {
      const row = await find(id);
      if (row === undefined || row.taken === 1) return true;
      if (row.beat !== seen) return false;
      const { number: _number, beat: _beat, ...rest } = row;
      return (await write({ ...rest, taken: 1 }, id, seen)) !== undefined;
    },
    leave: () =>
      inTurn(async () => {
        beat = undefined;
        const row = await find(self().id);
        if (row !== undefined) await client.drop('Leaving the store', layout.live, row.beat);
      }),
    forget: async (row) => void (await client.drop(doing, layout.live, row.beat)),
  };
}
