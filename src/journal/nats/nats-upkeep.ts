import { hash } from 'node:crypto';

import type { SessionId } from '../../kernel/ids.ts';
import { optional } from '../../kernel/optional.ts';
import type { Blobs } from '../../ports/blobs.ts';
import type { KeyedRecord, Seen, Upkeep, UpkeepAnswer } from '../../ports/upkeep.ts';
import { blobsNamedIn } from '../references.ts';
import type { ProcessLeases } from '../process-leases.ts';
import { ownerOf } from '../process-row.ts';
import type { Creations } from './creations.ts';
import type { BlobRows } from './nats-blobs.ts';
import { createNatsSearch } from './nats-search.ts';
import type { LogReader } from './read-log.ts';
import { removeFromStreams } from './remove-from-streams.ts';
import type { SessionListing } from './session-directory.ts';
import { headOf, recordOverhead } from './session-log.ts';
import type { NatsParts } from './store-parts.ts';
import { createBlobSweep } from './sweep-blobs.ts';

interface UpkeepParts extends NatsParts {
  readonly reader: LogReader;
  readonly blobs: Blobs;
  readonly blobRows: BlobRows;
  readonly creations: Creations;
  readonly leases: Pick<ProcessLeases, 'forgotten'>;
}

export function createNatsUpkeep(parts: UpkeepParts): Upkeep {
  const { client, layout, reader, directory, writer, processes, watch, blobRows, clock, leases } = parts;

  const listed = async (): Promise<readonly SessionListing[]> => {
    const all = [...(await directory.all()).values()].filter(({ isPending }) => isPending !== true);
    return all.toSorted((a, b) => (a.session < b.session ? -1 : 1));
  };

  async function records(session: SessionId, after: number, limit: number): Promise<readonly KeyedRecord[]> {
    const newest = await writer.newest(session);
    if (newest === undefined || headOf(newest) === undefined) return [];
    const list: KeyedRecord[] = [];
    for await (const { writtenBy: _writtenBy, ...record } of reader.records(session, newest, after)) {
      if (list.push(record) === limit) break;
    }
    return limit === 0 ? [] : writer.withKeys(session, list);
  }

  /** Whether the caller's claim is still the newest one, and the session is as it saw it. */
  function isOwned(session: SessionId, { epoch, seq }: Seen): boolean {
    const head = writer.tails.get(session)?.head;
    return head?.epoch === epoch && head.seq === seq;
  }

  async function setAside(session: SessionId, seen: Seen, from: number, reason: string): Promise<UpkeepAnswer> {
    if (!isOwned(session, seen)) return 'changed';
    const doing = `Repairing session ${session}`;
    const all = await records(session, 0, Infinity);
    const taken = all.filter(({ first }) => first >= from);
    const kept = all.filter(({ first }) => first < from);
    const at = clock.now();
    for (const [index, record] of taken.entries()) {
      const aside = { ...record, reason, at };
      await client.publish(
        doing,
        layout.subject('kept', 'aside', session, `${at}-${index}`),
        JSON.stringify(aside),
      );
      for (const blob of blobsNamedIn(record.body)) {
        await client.publish(doing, layout.subject('kept', 'ref', blob, `~aside-${session}`), '');
      }
    }
    const isDone = await writer.change(session, seen.epoch, (head) => ({
      kind: 'void',
      head: {
        ...head,
        seq: kept.at(-1)?.last ?? 0,
        bytes: kept.reduce((sum, { body }) => sum + Buffer.byteLength(body) + recordOverhead, 0),
        // Everything before this message.
        voids: [...(head.voids ?? []), [from, (writer.tails.get(session)?.last ?? 0) + 1]],
      },
    }));
    if (!isDone) return 'changed';
    for (const { key } of taken) {
      if (key === undefined) continue;
      const name = hash('sha256', key.key, 'base64url');
      await client.purge(doing, layout.kept, layout.subject('kept', 'key', session, name));
    }
    await client.purge(doing, layout.kept, layout.subject('kept', 'snapshot', session));
    await writer.noteDamage(session, undefined);
    return 'done';
  }

  return {
    records: (session, { after, limit }) => records(session, after, limit),
    sessions: async () => (await listed()).map(({ session }) => session),
    async sizes() {
      const sizes = new Map((await listed()).map(({ session, head }) => [session, head.bytes]));
      for await (const { body } of client.walk(
        'Measuring sessions',
        layout.kept,
        layout.subject('kept', 'snapshot', '*'),
        1,
      )) {
        const { session, body: text } = JSON.parse(body.toString()) as { session: SessionId; body: string };
        const size = sizes.get(session);
        if (size !== undefined) sizes.set(session, size + Buffer.byteLength(text));
      }
      return sizes;
    },
    async shown(session) {
      const listing = (await directory.read(session))?.listed;
      if (listing === undefined || listing.head.removed === true)
        return { questions: [], due: null, inFlight: false };
      const { entry, questions, head } = listing;
      return {
        ...optional({ entry }),
        questions: questions.toSorted((a, b) => a.openedAt - b.openedAt || (a.id < b.id ? -1 : 1)),
        due: head.due as never,
        inFlight: head.inFlight,
      };
    },
    show: (session, { entry, questions, due, inFlight }, { seq }) =>
      writer.inTurn(session, async () => {
        const newest = await writer.newest(session);
        if (newest === undefined || headOf(newest)?.seq !== seq) return 'changed';
        const { listed: before } = await writer.catchUp(session, newest);
        const { entry: _entry, ...rest } = before;
        const head = { ...newest.head, due, inFlight };
        const next = { ...rest, head, questions, ...optional({ entry }) };
        return (await replaceShown(session, next)) ? 'done' : 'changed';
      }),
    setAside: (session, seen, { from, reason }) =>
      writer.inTurn(session, () => setAside(session, seen, from, reason)),
    async remove(session, seen, { family }) {
      const answer = await writer.inTurn(session, () =>
        isOwned(session, seen)
          ? removeFromStreams(parts, session, seen, family)
          : Promise.resolve('changed' as const),
      );
      if (answer === 'done') leases.forgotten(session);
      return answer;
    },
    blobsOf: (session) => blobRows.of(session),
    sweepBlobs: createBlobSweep(parts, blobRows),
    forks: async () =>
      (await listed()).flatMap(({ session, refersTo }) =>
        refersTo === undefined ? [] : [{ session, refersTo: refersTo.toSorted() }],
      ),
    search: createNatsSearch(parts, records),
    async owners() {
      const [all, rows] = await Promise.all([listed(), processes.all()]);
      const owners = rows.map((row) => ({
        owner: ownerOf(row),
        sessions: all.filter(({ head }) => head.owner === row.id).length,
        isGone: watch.isGone(row),
      }));
      return owners.filter(({ isGone, sessions }) => !isGone || sessions > 0);
    },
    problems: () => Promise.resolve([]),
    async writers() {
      const messages = await Array.fromAsync(
        client.walk('Listing writers', layout.live, layout.subject('live', 'writer', '*'), 1),
      );
      return messages.map(({ body }) => body.toString());
    },
  };

  /** Writes what lists show without a message of the log. */
  async function replaceShown(session: SessionId, next: SessionListing): Promise<boolean> {
    const before = await directory.read(session);
    if (before?.listed.at !== next.at) return false;
    const written = await directory.write(next, before.rev);
    const tail = writer.tails.get(session);
    if (tail !== undefined)
      writer.hold(session, {
        ...tail,
        head: { ...tail.head, due: next.head.due, inFlight: next.head.inFlight },
        listed: written,
      });
    return true;
  }
}
