/** Contract of the documents that processes share. */
import { describe, expect, it } from 'vitest';

import type { OpenStore } from './store-under-test.ts';

/** Contract of a store's shared documents. */
export function documentsContract(name: string, open: OpenStore): void {
  describe(`documents contract: ${name}`, () => {
    it('[C153] keeps the newest version of a document for every process', async () => {
      await using under = await open();
      await using other = await under.another();
      expect(await other.documents.read('tokens')).toBeUndefined();
      expect(await under.store.documents.write('tokens', '{"a":1}', 0)).toBe(true);
      expect(await other.documents.write('tokens', '{"a":2}', 1)).toBe(true);
      expect(await other.documents.write('other', 'one', 0)).toBe(true);
      const reopened = await under.reopen();
      expect(await reopened.documents.read('tokens')).toEqual({ version: 2, body: '{"a":2}' });
      expect(await reopened.documents.read('other')).toEqual({ version: 1, body: 'one' });
    });

    it('[C153] refuses a write that did not see the newest version', async () => {
      await using under = await open();
      await using other = await under.another();
      expect(await under.store.documents.write('tokens', 'nothing before', 1)).toBe(false);
      await under.store.documents.write('tokens', 'first', 0);
      expect(await other.documents.write('tokens', 'also first', 0)).toBe(false);
      await under.store.documents.write('tokens', 'second', 1);
      expect(await other.documents.write('tokens', 'also second', 1)).toBe(false);
      expect(await other.documents.read('tokens')).toEqual({ version: 2, body: 'second' });
    });

    it('[C153] lets exactly one of many writes at once win', async () => {
      await using under = await open();
      await using other = await under.another();
      const writers = [under.store, other, under.store, other];
      const won = await Promise.all(writers.map(({ documents }, index) => documents.write('one', `${index}`, 0)));
      expect(won.filter(Boolean)).toEqual([true]);
      expect(await other.documents.read('one')).toEqual({ version: 1, body: `${won.indexOf(true)}` });
    });
  });
}
