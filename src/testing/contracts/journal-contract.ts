/** Contract of every journal, in any store. */
import { describe, expect, it } from 'vitest';

import type { AppendRequest, Commit } from '../../ports/journal.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { describeDamage } from './journal-damage.ts';
import { describeProjections } from './journal-projections.ts';
import { first, keyedRecord, nextOf, record, recorded, request, second } from './journal-samples.ts';
import { claimOf } from './lease-contract.ts';
import type { OpenStore } from './store-under-test.ts';
import { tracked } from './tracked-store.ts';

/** Contract of a store's journal. */
export function journalContract(name: string, openPlain: OpenStore): void {
  const open = tracked(openPlain);
  describe(`journal contract: ${name}`, () => {
    it('reads back what was appended, in order and in its place [C124]', async () => {
      await using under = await open();
      const { journal } = under.store;
      expect(await journal.append(request(0, [record('a', 'b')]))).toEqual({ type: 'appended', seq: 2 });
      expect(await journal.append(request(2, [record('c'), record('d')]))).toEqual({ type: 'appended', seq: 4 });
      expect(await journal.read(first, { after: 0 })).toEqual({
        events: recorded(1, 'a', 'b', 'c', 'd'),
        last: 4,
      });
      expect(await journal.head(first)).toEqual({ seq: 4, epoch: 1 });
    });

    it('knows nothing of a session that was never written', async () => {
      await using under = await open();
      const { journal } = under.store;
      expect(await journal.head(first)).toBeUndefined();
      expect(await journal.read(first, { after: 0 })).toEqual({ events: [], last: 0 });
      expect(await journal.readBack(first, { before: 9, limit: 5 })).toEqual({ events: [], last: 0 });
      expect(await journal.check(first)).toEqual([]);
      expect(await journal.loadSnapshot(first)).toBeUndefined();
    });

    it('answers conflict at another sequence than the newest, and writes nothing', async () => {
      await using under = await open();
      const { journal } = under.store;
      expect(await journal.append(request(3, [record('early')]))).toEqual({ type: 'conflict', seq: 0 });
      expect(await journal.head(first)).toBeUndefined();
      await journal.append(request(0, [record('a', 'b')]));
      expect(await journal.append(request(0, [record('late')]))).toEqual({ type: 'conflict', seq: 2 });
      expect(await journal.append(request(1, [record('inside')]))).toEqual({ type: 'conflict', seq: 2 });
      expect(await journal.append(request(5, [record('ahead')]))).toEqual({ type: 'conflict', seq: 2 });
      expect(await journal.read(first, { after: 0 })).toEqual({ events: recorded(1, 'a', 'b'), last: 2 });
    });

    it('lets exactly one of two appends at the same place win', async () => {
      await using under = await open();
      const { journal } = under.store;
      const answers = await Promise.all([
        journal.append(request(0, [record('one')])),
        journal.append(request(0, [record('other')])),
      ]);
      expect(answers).toEqual([
        { type: 'appended', seq: 1 },
        { type: 'conflict', seq: 1 },
      ]);
    });

    it('[O1][P4] refuses an append after a later claim', async () => {
      await using under = await open();
      const { journal, leases } = under.store;
      const mine = await claimOf(under.store, first);
      expect(await journal.append(request(0, [record('a')]))).toEqual({ type: 'appended', seq: 1 });
      await mine.release();
      await using other = await under.another();
      const theirs = await claimOf(other, first);
      expect(theirs.epoch).toBe(2);
      const late = request(1, [record('late')]);
      expect(await journal.append(late)).toEqual({ type: 'fenced', epoch: 2 });
      // Nor does it settle a letter or mark anything as recovered.
      const id = await under.store.inbox.put(first, { key: 'k', body: '{}' });
      const settling = { ...late, records: [], settles: [{ letter: id, answer: 'late' }] };
      expect(await journal.append(settling)).toEqual({ type: 'fenced', epoch: 2 });
      expect(await leases.ownerOf(first)).toEqual(other.leases.self);
      expect(await other.journal.append(request(1, [record('b')]))).toEqual({ type: 'appended', seq: 2 });
      expect(await journal.read(first, { after: 0 })).toEqual({ events: recorded(1, 'a', 'b'), last: 2 });
      expect(await other.inbox.take(first)).toEqual([{ id, key: 'k', body: '{}' }]);
    });

    it('[O16] recognises an append that is repeated because its answer was lost, and writes it once', async () => {
      await using under = await openPlain();
      const { journal, inbox, leases } = under.store;
      const letter = await inbox.put(first, { key: 'k', body: '{}' });
      const { position } = leases.create(first);
      const append = async (given: AppendRequest) => {
        const answer = await journal.append(given);
        return { type: answer.type, position: answer.type === 'appended' ? answer.position : given.position };
      };
      const lost = request(0, [record('a', 'b'), keyedRecord('c', 'key')], {
        id: 'mine.1',
        position,
        settles: [{ letter, answer: 'yes' }],
        creation: { key: 'new', digest: 'd' },
      });
      const one = await append(lost);
      const again = await append(lost);
      const next = request(3, [record('d')], { id: 'mine.2', position: again.position });
      const other = request(3, [record('other')], { id: 'mine.3', position: again.position });
      const answers = [one, again, await append(next), await append(next), await append(other)];
      expect(answers.map(({ type }) => type)).toEqual([
        'appended',
        'appended',
        'appended',
        'appended',
        'conflict',
      ]);
      const { events, last } = await journal.read(first, { after: 0 });
      expect({ events, last }).toEqual({ events: recorded(1, 'a', 'b', 'c', 'd'), last: 4 });
    });

    it('[O16] takes the same records of another process for its own creation, not for a repeat', async () => {
      await using under = await open();
      await using other = await under.another();
      expect(await under.store.journal.append(request(0, [record('a')], { id: 'mine.1' }))).toEqual({
        type: 'appended',
        seq: 1,
      });
      const theirs = await other.journal.append(request(0, [record('a')], { id: 'theirs.1' }));
      expect(theirs.type).not.toBe('appended');
    });

    it('[O16] refuses the repeat of an append after a later claim', async () => {
      await using under = await open();
      const { journal } = under.store;
      const mine = await claimOf(under.store, first);
      const lost = request(0, [record('a')], { id: '1.1' });
      await journal.append(lost);
      await mine.release();
      await using other = await under.another();
      await claimOf(other, first);
      expect(await journal.append(lost)).toEqual({ type: 'fenced', epoch: 2 });
    });

    it('[O11] refuses a session that refers to one that is gone', async () => {
      await using under = await open();
      const { journal } = under.store;
      await journal.append(request(0, [record('a')]));
      const fork = request(0, [record('b')], { session: second, refersTo: [first, 'ses_gone' as SessionId] });
      expect(await journal.append(fork)).toEqual({ type: 'origin-missing', session: 'ses_gone' });
      expect(await journal.head(second)).toBeUndefined();
      expect(await journal.append({ ...fork, refersTo: [first] })).toEqual({ type: 'appended', seq: 1 });
    });

    it('[O8] carries in its head the least reader version that was ever needed', async () => {
      await using under = await open();
      const { journal } = under.store;
      await journal.append(request(0, [record('a')]));
      expect(await journal.head(first)).toEqual({ seq: 1, epoch: 1 });
      await journal.append(request(1, [record('b')], { leastReader: 3 }));
      await journal.append(request(2, [record('c')], { leastReader: 2 }));
      await journal.append(request(3, [record('d')]));
      expect(await journal.head(first)).toEqual({ seq: 4, epoch: 1, leastReader: 3 });
    });

    it('claims a new session by its first append', async () => {
      await using under = await open();
      await using other = await under.another();
      await under.store.journal.append(request(0, [record('a')]));
      expect(await under.store.leases.ownerOf(first)).toEqual(under.store.leases.self);
      expect(await other.leases.claim(first)).toEqual({ type: 'held', owner: under.store.leases.self });
    });

    it('keeps sessions that write together apart: one conflict stops nobody else', async () => {
      await using under = await open();
      const { journal } = under.store;
      const ids = Array.from({ length: 50 }, (_, index) => `ses_${index}` as SessionId);
      const answers = await Promise.all(
        ids.map((session, index) =>
          journal.append(
            request(index === 20 ? 7 : 0, [record('a')], {
              session,
              ...(index === 30 && { refersTo: ['ses_gone' as SessionId] }),
            }),
          ),
        ),
      );
      expect(answers).toEqual(
        ids.map((_, index) => {
          if (index === 20) return { type: 'conflict', seq: 0 };
          return index === 30 ? { type: 'origin-missing', session: 'ses_gone' } : { type: 'appended', seq: 1 };
        }),
      );
      const heads = await Promise.all(ids.map((id) => journal.head(id)));
      expect(heads.filter((head) => head !== undefined)).toHaveLength(48);
    });

    it('answers a repeated key with its first sequence, and another content as key-reused', async () => {
      await using under = await open();
      const { journal } = under.store;
      await journal.append(request(0, [record('a'), keyedRecord('prompt', 'k1')]));
      expect(await journal.append(request(2, [record('x'), keyedRecord('prompt', 'k1')]))).toEqual({
        type: 'duplicate',
        index: 1,
        seq: 2,
      });
      expect(await journal.append(request(2, [keyedRecord('different', 'k1')]))).toEqual({
        type: 'key-reused',
        index: 0,
        seq: 2,
      });
      expect(await journal.append(request(2, [keyedRecord('b', 'k2'), keyedRecord('b', 'k2')]))).toEqual({
        type: 'duplicate',
        index: 1,
        seq: 3,
      });
      expect(await journal.head(first)).toEqual({ seq: 2, epoch: 1 });
      const other = request(0, [keyedRecord('prompt', 'k1')], { session: second });
      expect(await journal.append(other)).toEqual({ type: 'appended', seq: 1 });
    });

    it('tells what a key was used for, in one session and not in another', async () => {
      await using under = await open();
      const { journal } = under.store;
      await journal.append(request(0, [record('a'), keyedRecord('prompt', 'k1')]));
      await journal.append(request(0, [record('b')], { session: second }));
      const kept = { digest: expect.any(String) as string, seq: 2 };
      expect(await journal.keyed(first, 'k1')).toEqual(kept);
      expect([await journal.keyed(first, 'k2'), await journal.keyed(second, 'k1')]).toEqual([
        undefined,
        undefined,
      ]);
      const reopened = await under.reopen();
      expect(await reopened.journal.keyed(first, 'k1')).toEqual(kept);
    });

    it('makes one session for one key of creation, by any number of callers', async () => {
      await using under = await open();
      await using other = await under.another();
      const create = (session: SessionId, digest: string) =>
        request(0, [record('made')], { session, creation: { key: 'c1', digest } });
      const before = { type: 'created-before', session: first, digest: 'd' };
      expect(await under.store.journal.append(create(first, 'd'))).toEqual({ type: 'appended', seq: 1 });
      expect(await under.store.journal.append(create(second, 'd'))).toEqual(before);
      expect(await other.journal.append(create(second, 'e'))).toEqual(before);
      expect(await other.journal.head(second)).toBeUndefined();
      expect(await other.journal.createdWith('c1')).toEqual({ session: first, digest: 'd' });
      expect(await other.journal.createdWith('c2')).toBeUndefined();
      const reopened = await under.reopen();
      expect(await reopened.journal.append(create(second, 'd'))).toEqual(before);
    });

    it('reads in whole records from any sequence on', async () => {
      await using under = await open();
      const { journal } = under.store;
      await journal.append(request(0, [record('a', 'b', 'c'), record('d'), record('e', 'f')]));
      const read = (after: number, limit: number) => journal.read(first, { after, limit });
      expect(await read(0, 1)).toEqual({ events: recorded(1, 'a', 'b', 'c'), last: 6 });
      expect(await read(0, 5)).toEqual({ events: recorded(1, 'a', 'b', 'c', 'd'), last: 6 });
      expect(await read(2, 2)).toEqual({ events: recorded(3, 'c', 'd'), last: 6 });
      expect(await read(4, 10)).toEqual({ events: recorded(5, 'e', 'f'), last: 6 });
      expect(await read(6, 10)).toEqual({ events: [], last: 6 });
      expect(await read(9, 10)).toEqual({ events: [], last: 6 });
    });

    it('pages back from any sequence', async () => {
      await using under = await open();
      const { journal } = under.store;
      await journal.append(request(0, [record('a', 'b', 'c'), record('d'), record('e', 'f')]));
      const readBack = (before: number, limit: number) => journal.readBack(first, { before, limit });
      expect(await readBack(7, 3)).toEqual({ events: recorded(4, 'd', 'e', 'f'), last: 6 });
      expect(await readBack(4, 2)).toEqual({ events: recorded(2, 'b', 'c'), last: 6 });
      expect(await readBack(6, 10)).toEqual({ events: recorded(1, 'a', 'b', 'c', 'd', 'e'), last: 6 });
      expect(await readBack(99, 1)).toEqual({ events: recorded(6, 'f'), last: 6 });
      expect(await readBack(1, 5)).toEqual({ events: [], last: 6 });
    });

    it('keeps any text as it came', async () => {
      await using under = await open();
      const { journal } = under.store;
      const text = 'quotes " and \\ and\nlines, \u0000, ünïcode, 🎈, \u2028';
      const event = { type: 'custom', name: text, data: { deep: [text] } };
      await journal.append(request(0, [{ ...record(), events: [JSON.stringify(event)] }]));
      const { events } = await journal.read(first, { after: 0 });
      expect(events.map((one) => one.event)).toEqual([event]);
    });

    it('tells listeners of each commit after it, once, in every process [C97]', async () => {
      await using under = await open();
      await using other = await under.another();
      const seen: Commit[] = [];
      const heads: unknown[] = [];
      under.store.journal.onCommit((commit) => {
        seen.push(commit);
        heads.push(under.store.journal.head(commit.session));
      });
      const elsewhere = nextOf<Commit>((listener) => other.journal.onCommit(listener));
      await under.store.journal.append(request(0, [record('a', 'b')]));
      await under.store.journal.append(request(9, [record('conflict')]));
      expect(seen).toEqual([{ session: first, seq: 2 }]);
      expect(await Promise.all(heads)).toEqual([{ seq: 2, epoch: 1 }]);
      expect(await elsewhere).toEqual({ session: first, seq: 2 });
    });

    it('no longer tells a listener that left', async () => {
      await using under = await open();
      const seen: Commit[] = [];
      const stop = under.store.journal.onCommit((commit) => seen.push(commit));
      stop();
      await under.store.journal.append(request(0, [record('a')]));
      expect(seen).toEqual([]);
    });

    it('keeps one snapshot a session, the newest [P10]', async () => {
      await using under = await open();
      const { journal } = under.store;
      await journal.append(request(0, [record('a', 'b')]));
      await journal.saveSnapshot(first, { seq: 1, version: 1, body: '{"n":1}' }, { epoch: 1 });
      await journal.saveSnapshot(first, { seq: 2, version: 2, body: '{"n":2}' }, { epoch: 1 });
      // [O1] Snapshots of a stale owner, and of events that were never appended, are ignored.
      await journal.saveSnapshot(first, { seq: 1, version: 9, body: 'stale' }, { epoch: 7 });
      await journal.saveSnapshot(first, { seq: 3, version: 9, body: 'ahead' }, { epoch: 1 });
      expect(await journal.loadSnapshot(first)).toEqual({ seq: 2, version: 2, body: '{"n":2}' });
      expect(await journal.loadSnapshot(second)).toBeUndefined();
    });

    it('has everything acknowledged after it was closed and opened again [P1]', async () => {
      await using under = await open();
      await under.store.journal.append(request(0, [keyedRecord('a', 'k1')]));
      await under.store.journal.saveSnapshot(first, { seq: 1, version: 1, body: '{}' }, { epoch: 1 });
      const { journal, leases } = await under.reopen();
      expect(await journal.read(first, { after: 0 })).toEqual({ events: recorded(1, 'a'), last: 1 });
      expect(await journal.loadSnapshot(first)).toEqual({ seq: 1, version: 1, body: '{}' });
      expect((await claimOf({ leases }, first)).epoch).toBe(3);
      const repeated = request(1, [keyedRecord('a', 'k1')]);
      expect(await journal.append(repeated)).toEqual({ type: 'duplicate', index: 0, seq: 1 });
    });

    it('stays closed: a later call is refused with a fault', async () => {
      await using under = await open();
      const { journal } = under.store;
      await under.reopen();
      await expect(journal.append(request(0, [record('a')]))).rejects.toMatchObject({
        name: 'Fault',
        code: 'closed',
      });
      await expect(journal.read(first, { after: 0 })).rejects.toMatchObject({ name: 'Fault', code: 'closed' });
    });

    describeProjections(open);
    describeDamage(open);
  });
}
