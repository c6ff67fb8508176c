/** Contract of the rows that hosts keep. */
import { describe, expect, it } from 'vitest';

import { first, second } from './journal-samples.ts';
import type { OpenStore } from './store-under-test.ts';

/** Contract of a store's rows of hosted sessions. */
export function hostedRowsContract(name: string, open: OpenStore): void {
  describe(`hosted rows contract: ${name}`, () => {
    it('keeps the newest row of each session until it is taken away, for every process', async () => {
      await using under = await open();
      await using other = await under.another();
      await under.store.hosted.save(second, 'created');
      await under.store.hosted.save(first, 'created');
      await under.store.hosted.save(first, 'active');
      expect(await other.hosted.load()).toEqual([
        { session: first, body: 'active' },
        { session: second, body: 'created' },
      ]);
      await other.hosted.save(second, undefined);
      const reopened = await under.reopen();
      expect(await reopened.hosted.load()).toEqual([{ session: first, body: 'active' }]);
    });
  });
}
