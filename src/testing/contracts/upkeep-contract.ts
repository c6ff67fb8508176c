/** Contract of store maintenance. */
import { describe, expect, it } from 'vitest';

import { encodeRecord } from '../../journal/codec.ts';
import type { NewRecord } from '../../ports/journal.ts';
import type { SessionId } from '../../kernel/ids.ts';
import {
  ada,
  directoryEntry,
  first,
  keyedRecord,
  questionEntry,
  record,
  recorded,
  request,
  second,
} from './journal-samples.ts';
import { claimOf } from './lease-contract.ts';
import type { OpenStore } from './store-under-test.ts';
import { timeAt } from '../../kernel/time.ts';
import { tracked } from './tracked-store.ts';

/** Contract of a store's upkeep. */
export function upkeepContract(name: string, openPlain: OpenStore): void {
  const open = tracked(openPlain);
  describe(`upkeep contract: ${name}`, () => {
    it('gives records as they are stored, with their keys', async () => {
      await using under = await open();
      const { journal, upkeep } = under.store;
      const keyed = keyedRecord('c', 'key-1');
      await journal.append(request(0, [record('a', 'b'), keyed]));
      const [one, two] = [encodeRecord(first, 1, record('a', 'b')), encodeRecord(first, 3, keyed)];
      const withKey = { ...two, key: { key: 'key-1', digest: 'digest of c' } };
      expect(await upkeep.records(first, { after: 0, limit: 10 })).toEqual([one, withKey]);
      expect(await upkeep.records(first, { after: 2, limit: 10 })).toEqual([withKey]);
      expect(await upkeep.records(first, { after: 0, limit: 1 })).toEqual([one]);
      expect(await upkeep.records(second, { after: 0, limit: 1 })).toEqual([]);
      expect(await upkeep.sessions()).toEqual([first]);
      const sizes = await upkeep.sizes();
      expect([...sizes.keys()]).toEqual([first]);
      expect(sizes.get(first)).toBe(one.body.length + two.body.length + 80);
    });

    it('removes a session whole, and what is left of it nowhere [C120]', async () => {
      await using under = await open();
      const { journal, upkeep, leases } = under.store;
      const entry = directoryEntry(first);
      const projection = { entry, questionsOpened: [questionEntry(first, 'q_1', 1)], due: timeAt(5) };
      await journal.append(request(0, [keyedRecord('a', 'key-1')], { projection }));
      await journal.append(request(0, [record('other')], { session: second }));
      await journal.saveSnapshot(first, { seq: 1, version: 1, body: '{}' }, { epoch: 1 });
      expect(await upkeep.remove(first, { epoch: 1, seq: 7 }, { family: [] })).toBe('changed');
      expect(await upkeep.remove(first, { epoch: 2, seq: 1 }, { family: [] })).toBe('changed');
      expect(await upkeep.remove(first, { epoch: 1, seq: 1 }, { family: [] })).toBe('done');
      expect(await journal.head(first)).toBeUndefined();
      expect(await journal.list({})).toEqual({ entries: [] });
      expect(await journal.openQuestions({})).toEqual([]);
      expect(await leases.claimable({ at: 10, limit: 9 })).toEqual([]);
      expect(await journal.loadSnapshot(first)).toBeUndefined();
      expect(await leases.ownerOf(first)).toBeUndefined();
      expect(await upkeep.sessions()).toEqual([second]);
      expect(await journal.append(request(0, [keyedRecord('new', 'key-1')]))).toEqual({
        type: 'appended',
        seq: 1,
      });
      expect(await journal.read(first, { after: 0 })).toEqual({ events: recorded(1, 'new'), last: 1 });
      expect(await journal.read(second, { after: 0 })).toEqual({ events: recorded(1, 'other'), last: 1 });
    });

    it('removes nothing of another process, nor what has unanswered letters [C120]', async () => {
      await using under = await open();
      await using other = await under.another();
      const { journal, upkeep, inbox } = under.store;
      await journal.append(request(0, [record('a')]));
      expect(await other.upkeep.remove(first, { epoch: 1, seq: 1 }, { family: [] })).toBe('changed');
      // The same from a process that owns another session.
      await other.journal.append(request(0, [record('b')], { session: second }));
      expect(await other.upkeep.remove(first, { epoch: 1, seq: 1 }, { family: [] })).toBe('changed');
      expect(await other.upkeep.setAside(first, { epoch: 1, seq: 1 }, { from: 1, reason: 'test' })).toBe(
        'changed',
      );
      const letter = await inbox.put(first, { key: 'k', body: '{}' });
      expect(await upkeep.remove(first, { epoch: 1, seq: 1 }, { family: [] })).toBe('changed');
      await inbox.withdraw(letter, '{}');
      expect(await upkeep.remove(first, { epoch: 1, seq: 1 }, { family: [] })).toBe('done');
    });

    it('[O11] removes no session whose history another continues, unless that one goes with it', async () => {
      await using under = await open();
      const { journal, upkeep } = under.store;
      await journal.append(request(0, [record('a')]));
      const forked = JSON.stringify({ type: 'session-forked', origin: { session: first, seq: 1 } });
      await journal.append(
        request(0, [{ ...record('b'), events: [forked] }], { session: second, refersTo: [first] }),
      );
      expect(await upkeep.remove(first, { epoch: 1, seq: 1 }, { family: [first] })).toBe('changed');
      expect((await journal.head(first))?.seq).toBe(1);
      expect(await upkeep.remove(first, { epoch: 1, seq: 1 }, { family: [first, second] })).toBe('done');
    });

    it('tells other processes of what is written after the newest record was removed', async () => {
      await using under = await open();
      await using other = await under.another();
      const notified: string[] = [];
      const { promise, resolve } = Promise.withResolvers<void>();
      other.journal.onCommit(({ session, seq }) => {
        notified.push(`${session} ${seq}`);
        if (session === second && seq === 2) resolve();
      });
      const { journal, upkeep } = under.store;
      await journal.append(request(0, [record('b')], { session: second }));
      await journal.append(request(0, [record('a')]));
      await upkeep.remove(first, { epoch: 1, seq: 1 }, { family: [] });
      await journal.append(request(1, [record('c')], { session: second }));
      await promise;
      expect(notified.at(-1)).toBe(`${second} 2`);
    });

    it('sets damaged records aside, keeps them, and takes writes again', async () => {
      await using under = await open();
      const { journal, upkeep } = under.store;
      const blob = await under.store.blobs.put('named');
      const naming: NewRecord = {
        at: 1000,
        by: ada,
        events: [JSON.stringify({ type: 'custom', name: 'd', data: { blob, length: 9, preview: '' } })],
      };
      await journal.append(request(0, [record('a', 'b'), keyedRecord('c', 'key-1'), naming]));
      await journal.saveSnapshot(first, { seq: 4, version: 1, body: '{}' }, { epoch: 1 });
      await under.damageRecord(first, 3);
      const [damage] = await journal.check(first);
      expect(await upkeep.setAside(first, { epoch: 1, seq: 3 }, { from: 3, reason: 'test' })).toBe('changed');
      expect(await upkeep.setAside(first, { epoch: 1, seq: 4 }, { from: damage?.seq ?? 0, reason: 'test' })).toBe(
        'done',
      );
      expect(await journal.head(first)).toEqual({ seq: 2, epoch: 1 });
      expect(await journal.loadSnapshot(first)).toBeUndefined();
      expect(await journal.append(request(2, [keyedRecord('again', 'key-1')]))).toEqual({
        type: 'appended',
        seq: 3,
      });
      expect(await journal.check(first)).toEqual([]);
    });

    it('shows the requested events, unless the session continued in the meantime', async () => {
      await using under = await open();
      const { journal, upkeep } = under.store;
      const wrong = {
        entry: directoryEntry(first, { title: 'wrong' }),
        questionsOpened: [questionEntry(first, 'q_1', 1)],
      };
      const projection = { ...wrong, due: timeAt(7), inFlight: true };
      await journal.append(request(0, [record('a')], { projection }));
      expect(await upkeep.shown(first)).toEqual({
        entry: wrong.entry,
        questions: wrong.questionsOpened,
        due: 7,
        inFlight: true,
      });
      const right = {
        entry: directoryEntry(first, { title: 'right' }),
        questions: [questionEntry(first, 'q_2', 2)],
        due: null,
        inFlight: false,
      };
      expect(await upkeep.show(first, right, { seq: 9 })).toBe('changed');
      expect(await upkeep.show(first, right, { seq: 1 })).toBe('done');
      expect(await upkeep.shown(first)).toEqual(right);
      expect(await journal.list({})).toEqual({ entries: [right.entry] });
      expect(await journal.openQuestions({})).toEqual(right.questions);
      expect(await upkeep.shown(second)).toEqual({ questions: [], due: null, inFlight: false });
    });

    it('finds words in what was said, the newest message of each session [C122]', async () => {
      await using under = await open();
      const { journal, upkeep } = under.store;
      const says = (text: string): NewRecord => ({
        at: 1000,
        by: ada,
        events: [JSON.stringify({ type: 'prompt-received', delivery: 'queue', request: { type: 'chat', text } })],
      });
      await journal.append(request(0, [says('Please fix the Übersetzer in the build'), record('a')]));
      await journal.append(request(0, [says('nothing of the sort')], { session: second }));
      const hit = { session: first, seq: 1, excerpt: 'Please fix the Übersetzer in the build' };
      expect(await upkeep.search({ text: 'übersetz FIX' })).toEqual([hit]);
      expect(await upkeep.search({ text: 'übersetzer nothing' })).toEqual([]);
      expect(await upkeep.search({ text: '"*' })).toEqual([]);
      await journal.append(request(2, [says('fix the übersetzer again')]));
      expect(await upkeep.search({ text: 'fix übersetzer' })).toEqual([
        { session: first, seq: 3, excerpt: 'fix the übersetzer again' },
      ]);
      expect((await upkeep.search({ text: 'fix übersetzer', session: first })).map(({ seq }) => seq)).toEqual([
        3, 1,
      ]);
      expect((await upkeep.search({ text: 'fix', session: first, limit: 1 })).map(({ seq }) => seq)).toEqual([3]);
      expect(await upkeep.search({ text: 'fix', session: second })).toEqual([]);
      await upkeep.remove(first, { epoch: 1, seq: 3 }, { family: [] });
      expect(await upkeep.search({ text: 'fix' })).toEqual([]);
      expect((await upkeep.search({ text: 'nothing' })).map(({ session }) => session)).toEqual([second]);
    });

    it('finds words at the end of a text that is kept as a blob [C122]', async () => {
      await using under = await open();
      const { journal, upkeep, blobs } = under.store;
      const whole = `${'a word and another '.repeat(500)}then a needle`;
      const text = { blob: await blobs.put(whole), preview: whole.slice(0, 1024), length: whole.length };
      const event = { type: 'prompt-received', delivery: 'queue', request: { type: 'chat', text } };
      await journal.append(request(0, [{ at: 1000, by: ada, events: [JSON.stringify(event)] }]));
      expect(await upkeep.search({ text: 'needle' })).toEqual([
        { session: first, seq: 1, excerpt: `…${whole.slice(-('needle'.length + 40))}` },
      ]);
    });

    it('knows who holds sessions, and who died with some until another process takes them over', async () => {
      await using under = await open();
      const other = await under.another();
      await other.journal.append(request(0, [record('a')]));
      await under.crash(other);
      const { upkeep, leases } = under.store;
      const gone = (await upkeep.owners()).filter(({ isGone }) => isGone);
      expect(gone).toEqual([{ owner: other.leases.self, sessions: 1, isGone: true }]);
      expect(await claimOf({ leases }, first)).toMatchObject({ epoch: 2, isUnclean: true });
      expect((await upkeep.owners()).filter(({ isGone }) => isGone)).toEqual([]);
    });

    it('is sound, and knows which versions wrote it', async () => {
      await using under = await open();
      const { journal, upkeep } = under.store;
      await journal.append(request(0, [record('a')], { session: 'ses_x' as SessionId }));
      expect(await upkeep.problems()).toEqual([]);
      expect(await upkeep.writers()).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+/)]);
    });
  });
}
