/** Contract of blobs: large content by its hash, in any store. */
import { setTimeout } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { blobHashOf } from '../../journal/blob-hash.ts';
import type { SweepOptions, Swept } from '../../ports/blobs.ts';
import type { NewRecord } from '../../ports/journal.ts';
import type { Store } from '../../ports/store.ts';
import { Fault } from '../../kernel/fault.ts';
import type { BlobHash } from '../../kernel/ids.ts';
import { ada, first, request, second } from './journal-samples.ts';
import type { OpenStore } from './store-under-test.ts';
import { tracked } from './tracked-store.ts';

/** Contract of a store's blobs. */
export function blobsContract(name: string, openPlain: OpenStore): void {
  const open = tracked(openPlain);
  describe(`blobs contract: ${name}`, () => {
    it('keeps content under its SHA-256, for every process', async () => {
      await using under = await open();
      await using other = await under.another();
      const hash = await under.store.blobs.put('hello');
      expect(hash).toBe('2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824');
      expect(await other.blobs.get(hash)).toBe('hello');
    });

    it('keeps the same content once and any text as it came', async () => {
      await using under = await open();
      const { blobs } = under.store;
      const text = `ünïcode 🎈 \u0000 ${'long '.repeat(100_000)}`;
      const [one, two] = await Promise.all([blobs.put(text), blobs.put(text)]);
      expect(one).toBe(two);
      expect(await blobs.get(one)).toBe(text);
      expect(await blobs.get(await blobs.put(''))).toBe('');
    });

    it('has nothing under another hash, nor under an invalid one', async () => {
      await using under = await open();
      expect(await under.store.blobs.get('0'.repeat(64) as BlobHash)).toBeUndefined();
      expect(await under.store.blobs.get('../../etc/passwd' as BlobHash)).toBeUndefined();
    });

    it('never gives content that does not match its hash, and heals by putting it again', async () => {
      await using under = await open();
      const hash = await under.store.blobs.put('hello');
      await under.damageBlob(hash);
      expect(await under.store.blobs.get(hash)).toBeUndefined();
      await under.store.blobs.put('hello');
      expect(await under.store.blobs.get(hash)).toBe('hello');
    });

    it('[O10] keeps bytes and streams as they came, under the hash of their content', async () => {
      await using under = await open();
      const { blobs } = under.store;
      const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256);
      const hash = await blobs.put(bytes);
      expect(Buffer.from((await blobs.bytes(hash)) ?? []).equals(bytes)).toBe(true);
      const stream = async function* () {
        yield Buffer.from('hel');
        yield Buffer.from('lo');
      };
      const streamed = await blobs.put(stream());
      expect([streamed, await blobs.get(streamed)]).toEqual([await blobs.put('hello'), 'hello']);
    });

    it('[O10] refuses an append that names a blob which is not kept, and takes it once it was put', async () => {
      await using under = await open();
      const { blobs, journal, upkeep } = under.store;
      const hash = blobHashOf('hello');
      expect(await journal.append(request(0, [naming(hash)]))).toEqual({ type: 'blob-missing', hashes: [hash] });
      expect(await journal.head(first)).toBeUndefined();
      await blobs.put('hello');
      expect(await journal.append(request(0, [naming(hash)]))).toEqual({ type: 'appended', seq: 1 });
      expect(await upkeep.blobsOf(first)).toEqual([hash]);
      const lost = blobHashOf('lost');
      expect(await journal.append(request(1, [naming(lost)], { lost: [lost] }))).toEqual({
        type: 'appended',
        seq: 2,
      });
      // Referenced earlier but its file is lost: nobody deleted it, and nobody has to put it again.
      expect(await journal.append(request(2, [naming(lost)]))).toEqual({ type: 'appended', seq: 3 });
    });

    it('[O10] deletes what nothing names a day after it was first seen so, and not what was put again [C120]', async () => {
      await using under = await open();
      const { blobs, upkeep } = under.store;
      const hash = await blobs.put('hello');
      const kept = await Array.fromAsync(blobs.list());
      expect(kept).toEqual([{ hash, size: 5, putAt: expect.any(Number) as number }]);
      const sweep = (days: number, more: Partial<SweepOptions> = {}) =>
        upkeep.sweepBlobs({ now: Date.now() + days * day, uptime: days * day, ...more });
      expect(await sweep(0)).toEqual({ blobs: 0, bytes: 0, waiting: 1 });
      expect(await sweep(0.9)).toEqual({ blobs: 0, bytes: 0, waiting: 1 });
      expect(await sweep(1.1, { isDry: true })).toEqual({ blobs: 1, bytes: 5, waiting: 0 });
      await setTimeout(2);
      await blobs.put('hello');
      expect(await sweep(1.1)).toEqual({ blobs: 0, bytes: 0, waiting: 1 });
      expect(await blobs.get(hash)).toBe('hello');
      expect(await sweep(2.2)).toEqual({ blobs: 1, bytes: 5, waiting: 0 });
      expect([await blobs.get(hash), await Array.fromAsync(blobs.list())]).toEqual([undefined, []]);
    });

    it('[O10] waits a day by both clocks: setting the time of day deletes nothing [C120]', async () => {
      await using under = await open();
      const { blobs, upkeep } = under.store;
      const hash = await blobs.put('hello');
      const now = Date.now();
      await upkeep.sweepBlobs({ now, uptime: 0 });
      const waits = { blobs: 0, bytes: 0, waiting: 1 };
      expect(await upkeep.sweepBlobs({ now: now + 30 * day, uptime: 60_000 })).toEqual(waits);
      expect(await upkeep.sweepBlobs({ now: now - 30 * day, uptime: 120_000 })).toEqual(waits);
      expect(await blobs.get(hash)).toBe('hello');
    });

    it('[O10] keeps what a record, an unanswered letter or a set-aside record names', async () => {
      await using under = await open();
      const { blobs, journal, inbox, upkeep } = under.store;
      const [inRecord, inLetter, aside, unused] = await Promise.all(
        ['record', 'letter', 'aside', 'unused'].map((content) => blobs.put(content)),
      );
      await journal.append(request(0, [naming(inRecord ?? ''), naming(aside ?? '')]));
      await upkeep.setAside(first, { epoch: 1, seq: 2 }, { from: 2, reason: 'test' });
      const letter = await inbox.put(second, { key: 'k', body: naming(inLetter ?? '').events[0] ?? '' });
      const sweep = (days: number) => upkeep.sweepBlobs({ now: Date.now() + days * day, uptime: days * day });
      await sweep(0);
      expect((await sweep(2)).blobs).toBe(1);
      expect(await blobs.get(unused ?? ('' as BlobHash))).toBeUndefined();
      await inbox.withdraw(letter, 'done');
      expect(await upkeep.remove(first, { epoch: 1, seq: 1 }, { family: [] })).toBe('done');
      for (const days of [4, 6]) await sweep(days);
      expect((await Array.fromAsync(blobs.list())).map(({ hash }) => hash)).toEqual([aside]);
    });

    it('[O10] a sweep whose clock is days ahead leaves no blob without its content [P1]', async () => {
      await using under = await open();
      const { blobs, upkeep } = under.store;
      const sweep = () => upkeep.sweepBlobs({ now: Date.now() + 2 * day, uptime: 2 * day });
      async function* swept() {
        yield Buffer.alloc(600_000, 1);
        await sweep();
        yield Buffer.alloc(10, 2);
      }
      const content = Buffer.concat([Buffer.alloc(600_000, 1), Buffer.alloc(10, 2)]);
      const refused = await blobs.put(swept()).catch((error: unknown) => error);
      const bytes = await blobs.bytes(blobHashOf(content));
      const kept = bytes !== undefined && content.equals(bytes);
      expect(kept || refused instanceof Fault).toBe(true);
      for await (const { hash, size } of blobs.list()) expect((await blobs.bytes(hash))?.length).toBe(size);
    });

    it('[O10] sweeps in several processes at once, beside one that puts, and loses nothing that is named', async () => {
      await using under = await open();
      await using other = await under.another();
      const { blobs, journal, upkeep } = under.store;
      for (let one = 0; one < 120; one += 1) await blobs.put(`unused ${one}`);
      const sweep = (of: Store, days: number) =>
        of.upkeep.sweepBlobs({ now: Date.now() + days * day, uptime: days * day });
      await sweep(under.store, 0);
      let seq = 0;
      const name = async (content: string) => {
        for (;;) {
          const hash = await blobs.put(content);
          const answer = await journal.append(request(seq, [naming(hash)]));
          if (answer.type === 'appended') return (seq = answer.seq);
          expect(answer).toEqual({ type: 'blob-missing', hashes: [hash] });
        }
      };
      const naming30 = async () => {
        for (let one = 0; one < 30; one += 1) await name(`unused ${one}`);
      };
      const swept = await Promise.all([sweep(other, 2), sweep(under.store, 2), sweep(other, 2), naming30()]);
      expect(swept.slice(0, 3).reduce<number>((sum, one) => sum + (one as Swept).blobs, 0)).toBeGreaterThanOrEqual(
        90,
      );
      for (const hash of await upkeep.blobsOf(first)) expect(await blobs.get(hash)).toBeDefined();
      expect((await upkeep.blobsOf(first)).length).toBe(30);
    });
  });
}

const day = 86_400_000;

function naming(blob: string): NewRecord {
  const event = { type: 'custom', name: 'named', data: { blob, length: 9, preview: '' } };
  return { at: 1000, by: ada, events: [JSON.stringify(event)] };
}
