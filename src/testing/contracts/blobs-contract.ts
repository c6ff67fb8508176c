/** Large content by its hash, wherever it is kept. */
import { describe, expect, it } from 'vitest';

import type { BlobHash } from '../../kernel/ids.ts';
import type { OpenStore } from './store-under-test.ts';

/** What every store promises of blobs. */
export function blobsContract(name: string, open: OpenStore): void {
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

    it('has nothing under another hash, nor under one that is no hash', async () => {
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

    it('lists what is kept, and removes only what nobody has put since [C120]', async () => {
      await using under = await open();
      const other = await under.another();
      const { blobs } = under.store;
      const hash = await other.blobs.put('hello');
      await under.crash(other);
      const [kept] = await Array.fromAsync(blobs.list());
      expect(kept).toEqual({ hash, size: 5, putAt: expect.any(Number) as number, isHeld: false });
      const { putAt } = kept ?? { putAt: 0 };
      expect(await blobs.remove(hash, { since: putAt })).toBe(false);
      expect(await blobs.get(hash)).toBe('hello');
      expect(await blobs.remove(hash, { since: Date.now() + 60_000 })).toBe(true);
      expect([await blobs.get(hash), await Array.fromAsync(blobs.list())]).toEqual([undefined, []]);
      expect(await blobs.remove(hash, { since: Date.now() + 60_000 })).toBe(false);
    });

    it('keeps what a living process has put lately, whatever the time is said to be [C120]', async () => {
      await using under = await open();
      const other = await under.another();
      const another = await under.another();
      const { blobs } = under.store;
      const hash = await other.blobs.put('hello');
      await another.blobs.put('hello');
      const isHeld = async () => (await Array.fromAsync(blobs.list())).map((blob) => blob.isHeld);
      const tomorrow = { since: Date.now() + 86_400_000 };
      expect([await isHeld(), await blobs.remove(hash, tomorrow)]).toEqual([[true], false]);
      await under.crash(other);
      expect([await isHeld(), await blobs.remove(hash, tomorrow)]).toEqual([[true], false]);
      expect(await blobs.get(hash)).toBe('hello');
      await another[Symbol.asyncDispose]();
      expect([await isHeld(), await blobs.remove(hash, tomorrow)]).toEqual([[false], true]);
    });
  });
}
