/** One owner a session, whatever the leases are kept in. */
import { describe, expect, it } from 'vitest';

import { first, nextOf, record, request, second } from './journal-samples.ts';
import type { OpenStore } from './store-under-test.ts';

/** What every store promises of its leases. */
export function leaseContract(name: string, open: OpenStore): void {
  describe(`lease contract: ${name}`, () => {
    it('gives a session to one owner; the owner may claim again at the same epoch [P4]', async () => {
      await using under = await open();
      await using other = await under.another();
      const { leases } = under.store;
      expect(leases.self.id).not.toBe(other.leases.self.id);
      expect(await leases.claim(first)).toEqual({ type: 'claimed', epoch: 1 });
      expect(await leases.claim(first)).toEqual({ type: 'claimed', epoch: 1 });
      expect(await other.leases.claim(first)).toEqual({ type: 'held', owner: leases.self });
      expect(await other.leases.ownerOf(first)).toEqual(leases.self);
      expect(await other.leases.ownerOf(second)).toBeUndefined();
    });

    it('lets exactly one of two claims at once win [P4]', async () => {
      await using under = await open();
      await using other = await under.another();
      const answers = await Promise.all([under.store.leases.claim(first), other.leases.claim(first)]);
      expect(answers.map(({ type }) => type).toSorted()).toEqual(['claimed', 'held']);
    });

    it('raises the epoch with every change of owner, also over a release', async () => {
      await using under = await open();
      await using other = await under.another();
      const { leases } = under.store;
      await leases.claim(first);
      await leases.release(first, 1);
      expect(await leases.ownerOf(first)).toBeUndefined();
      expect(await other.leases.claim(first)).toEqual({ type: 'claimed', epoch: 2 });
      await leases.release(first, 1);
      await leases.release(first, 2);
      expect(await leases.ownerOf(first)).toEqual(other.leases.self);
    });

    it('takes the sessions of a dead process at once, and says whose they were [P4]', async () => {
      await using under = await open();
      const dead = await under.another();
      const previous = dead.leases.self;
      await dead.leases.claim(first);
      await dead.journal.append(request(0, [record('a')]));
      await under.crash(dead);
      expect(await under.store.leases.claim(first)).toEqual({ type: 'claimed', epoch: 2, previous });
      expect(await under.store.leases.claim(first)).toEqual({ type: 'claimed', epoch: 2 });
    });

    it('refuses the writes of an owner whose session was taken, and tells it once [P4]', async () => {
      await using under = await open();
      await using sleeper = await under.another();
      await sleeper.leases.claim(first);
      await sleeper.leases.claim(second);
      await under.lapse(sleeper);
      expect(await sleeper.journal.append(request(0, [record('a')]))).toEqual({ type: 'appended', seq: 1 });
      const lost = nextOf<readonly string[]>((listener) => sleeper.leases.onLost(listener));
      expect(await under.store.leases.claim(first)).toEqual({
        type: 'claimed',
        epoch: 2,
        previous: sleeper.leases.self,
      });
      expect(await sleeper.journal.append(request(1, [record('b')]))).toEqual({ type: 'fenced', epoch: 2 });
      expect((await lost).toSorted()).toEqual([first, second]);
    });

    it('frees what a process owned when it closes', async () => {
      await using under = await open();
      const other = await under.another();
      await other.leases.claim(first);
      await other[Symbol.asyncDispose]();
      expect(await under.store.leases.claim(first)).toEqual({ type: 'claimed', epoch: 2 });
    });

    it('asks the owner to hand over, who releases; the asker is told and claims', async () => {
      await using under = await open();
      await using other = await under.another();
      const { leases } = under.store;
      await leases.claim(first);
      const asked = nextOf<string>((listener) => leases.onHandOverRequested(listener));
      const released = nextOf<string>((listener) => other.leases.onReleased(listener));
      await other.leases.requestHandOver(first);
      expect(await asked).toBe(first);
      await leases.release(first, 1);
      expect(await released).toBe(first);
      expect(await other.leases.claim(first)).toEqual({ type: 'claimed', epoch: 2 });
    });

    it('keeps a request to hand over for an owner that listens later', async () => {
      await using under = await open();
      await using other = await under.another();
      await under.store.leases.claim(first);
      await other.leases.requestHandOver(first);
      expect(await nextOf<string>((listener) => under.store.leases.onHandOverRequested(listener))).toBe(first);
    });
  });
}
