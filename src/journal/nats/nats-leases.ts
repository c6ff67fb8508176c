/** Ownership of sessions on NATS. A claim puts a fence into the log, after what it saw there (O1). */
import { randomUUID } from 'node:crypto';

import type { SessionId } from '../../kernel/ids.ts';
import { decodeRecord } from '../codec.ts';
import type { LeaseRows } from '../process-leases.ts';
import { ownerOf, type GoneOwner } from '../process-row.ts';
import { findClaimable } from './claimable.ts';
import type { LogReader } from './read-log.ts';
import { logStart, opaque } from '../log-position.ts';
import { headOf, noHead, type LogHead, type LogMessage } from './session-log.ts';
import type { NatsParts } from './store-parts.ts';

export function natsLeaseRows(parts: NatsParts, reader: LogReader): LeaseRows {
  const { client, layout, self, processes, writer, directory } = parts;
  const handOverSubject = (session: SessionId) => layout.subject('live', 'handover', session);

  async function holder(session: SessionId) {
    const [newest, entry] = await Promise.all([writer.newest(session), directory.read(session)]);
    const owner = headOf(newest)?.owner ?? null;
    return {
      holder: owner === null ? undefined : await processes.find(owner),
      needs: entry?.listed.entry?.needs ?? [],
    };
  }

  /** True if there was one. */
  async function forgetHandOver(session: SessionId): Promise<boolean> {
    const message = await client.last(`Releasing session ${session}`, layout.live, handOverSubject(session));
    return message !== undefined && client.drop(`Releasing session ${session}`, layout.live, message.seq);
  }

  /** Damage of the newest record, and lost commits, show before the owner appends. */
  async function checkEnd(session: SessionId, newest: LogMessage, listedAt: number): Promise<void> {
    const { seq } = newest.head;
    if (listedAt > newest.seq) {
      await writer.noteDamage(session, { seq: seq + 1, reason: 'the newest records are missing' });
      return;
    }
    for await (const record of reader.records(session, newest, seq - 1)) {
      const decoded = decodeRecord(record);
      if (decoded.type === 'decoded') continue;
      const reason = `the record at ${record.first} is damaged: ${decoded.reason}`;
      await writer.noteDamage(session, { seq: record.first, reason });
    }
  }

  /** Undefined: somebody else wrote in between. */
  async function fence(session: SessionId, before: LogMessage | undefined, change: Partial<LogHead>) {
    // Anyone who was about to remove it can't any more.
    const { removing: _removing, ...head } = headOf(before) ?? noHead;
    return writer.write(session, {
      kind: 'fence',
      after: before?.seq ?? 0,
      head: { ...head, epoch: head.epoch + 1, leftOpen: false, ...change },
    });
  }

  async function claim(session: SessionId, gone: GoneOwner | null) {
    if (!(await processes.register())) return 'lost' as const;
    for (;;) {
      const before = await writer.newest(session);
      const head = headOf(before) ?? noHead;
      const owner = head.owner === null ? undefined : await processes.find(head.owner);
      if (owner !== undefined && owner.id !== self().id && owner.taken === 0) {
        const isGone =
          gone !== null && gone[0] === owner.id && gone[1] === owner.beat && (await processes.take(gone));
        if (!isGone) return { type: 'held', owner: ownerOf(owner) } as const;
      }
      const isLeft = head.owner !== null;
      const fenced = await fence(session, before, {
        owner: self().id,
        unclean: head.unclean || isLeft,
        fences: head.fences + (isLeft ? 1 : 0),
      });
      if (fenced === undefined) continue;
      const entry = await directory.read(session);
      const listed = await writer.catchUp(session, fenced);
      writer.hold(session, { last: fenced.seq, at: fenced.seq, head: fenced.head, listed });
      await checkEnd(session, fenced, entry?.listed.at ?? 0);
      await forgetHandOver(session);
      const { epoch, unclean: isUnclean, fences } = fenced.head;
      const position = opaque({ at: fenced.seq, append: fenced.id, epoch });
      return { type: 'claimed', epoch, isUnclean, fences, position } as const;
    }
  }

  async function leaveSession(session: SessionId): Promise<void> {
    const tail = writer.tails.get(session);
    if (tail === undefined) return;
    const { head } = tail;
    await writer.change(session, head.epoch, () => ({
      kind: 'fence',
      head: {
        ...head,
        epoch: head.epoch + 1,
        owner: null,
        unclean: true,
        fences: head.fences + 1,
        leftOpen: head.inFlight,
      },
    }));
    writer.letGo(session);
    await forgetHandOver(session);
  }

  return {
    holder,
    claim: (session, gone) => writer.inTurn(session, () => claim(session, gone)),
    async cleaned(session, epoch) {
      await writer.inTurn(session, () =>
        writer.change(session, epoch, (head) => ({
          kind: 'cleaned',
          head: { ...head, unclean: false, fences: 0 },
        })),
      );
    },
    release: (session, epoch, isUnclean) =>
      writer.inTurn(session, async () => {
        const isDone = await writer.change(session, epoch, (head) => {
          const unclean = head.unclean || isUnclean;
          const fences = unclean ? head.fences : 0;
          return { kind: 'release', head: { ...head, owner: null, unclean, fences, leftOpen: head.inFlight } };
        });
        if (writer.tails.get(session)?.head.epoch === epoch) writer.letGo(session);
        if (!isDone) return 'not-owned';
        return (await forgetHandOver(session)) ? 'handed-over' : 'released';
      }),
    renew: () => processes.renew(),
    async leave() {
      for (const session of Array.from(writer.tails.keys())) {
        await writer.inTurn(session, () => leaveSession(session));
      }
      for (const subject of await client.subjects(
        'Leaving the store',
        layout.live,
        layout.subject('live', 'node', '*'),
      )) {
        const message = await client.last('Leaving the store', layout.live, subject);
        const isOurs =
          message !== undefined && (JSON.parse(message.body.toString()) as { owner: string }).owner === self().id;
        if (isOurs) await client.drop('Leaving the store', layout.live, message.seq);
      }
      await processes.leave();
    },
    async requestHandOver(session, withinMs) {
      const owner = headOf(await writer.newest(session))?.owner ?? null;
      if (owner === null || owner === self().id) return false;
      const body = JSON.stringify({ session, withinMs, id: randomUUID() });
      await client.publish(`Asking for session ${session}`, handOverSubject(session), body);
      return true;
    },
    claimable: (look) => findClaimable(parts, look),
    start: logStart,
  };
}
