import { describe, expect, it } from 'vitest';

import type { Damage, Journal } from '../../ports/journal.ts';
import { first, record, recorded, request, second } from './journal-samples.ts';
import type { OpenStore } from './store-under-test.ts';

export function describeDamage(open: OpenStore): void {
  describe('damage', () => {
    it('stops before a bad record, reports it, and then takes no more writes', async () => {
      await using under = await open();
      const { journal } = under.store;
      await write(journal);
      await under.damageRecord(first, 3);
      const damage = { session: first, seq: 3, reason: expect.any(String) } as Damage;
      expect(await journal.read(first, { after: 0 })).toEqual({ events: recorded(1, 'a', 'b'), last: 5, damage });
      expect(await journal.append(request(5, [record('f')]))).toEqual({ type: 'damaged', damage });
      expect(await journal.head(first)).toEqual({ seq: 5, epoch: 1, damage });
      expect(await journal.readBack(first, { before: 6, limit: 9 })).toEqual({
        events: recorded(4, 'd', 'e'),
        last: 5,
        damage,
      });
    });

    it('refuses an append behind a bad newest record that nobody read yet', async () => {
      await using under = await open();
      await write(under.store.journal);
      await under.damageRecord(first, 4);
      const { journal, leases } = await under.reopen();
      await leases.claim(first);
      expect(await journal.append(request(5, [record('f')]))).toEqual({
        type: 'damaged',
        damage: { session: first, seq: 4, reason: expect.any(String) },
      });
    });

    it('leaves other sessions alone', async () => {
      await using under = await open();
      const { journal } = under.store;
      await write(journal);
      await journal.append(request(0, [record('a')], { session: second }));
      await under.damageRecord(first, 1);
      await journal.read(first, { after: 0 });
      expect(await journal.append(request(1, [record('b')], { session: second }))).toEqual({
        type: 'appended',
        seq: 2,
      });
      expect(await journal.read(second, { after: 0 })).toEqual({ events: recorded(1, 'a', 'b'), last: 2 });
    });

    it('keeps what lies behind a bad record readable', async () => {
      await using under = await open();
      const { journal } = under.store;
      await write(journal);
      await under.damageRecord(first, 3);
      expect(await journal.read(first, { after: 3 })).toEqual({ events: recorded(4, 'd', 'e'), last: 5 });
    });

    it('finds damage by checking, and refuses writes from then on', async () => {
      await using under = await open();
      const { journal } = under.store;
      await write(journal);
      expect(await journal.check(first)).toEqual([]);
      await under.damageRecord(first, 1);
      await under.damageRecord(first, 3);
      const damages = [1, 3].map((seq) => ({ session: first, seq, reason: expect.any(String) as string }));
      expect(await journal.check(first)).toEqual(damages);
      expect(await journal.append(request(5, [record('f')]))).toEqual({ type: 'damaged', damage: damages[0] });
    });
  });
}

async function write(journal: Journal): Promise<void> {
  await journal.append(request(0, [record('a', 'b'), record('c'), record('d', 'e')]));
}
