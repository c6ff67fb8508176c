/** Contract of leases: one owner per session, in any store. */
import { describe, expect, it } from 'vitest';

import type { Claim, ClaimableLook, ClaimAnswer, Position } from '../../ports/lease.ts';
import type { Store } from '../../ports/store.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { timeAt } from '../../kernel/time.ts';
import { directoryEntry, first, nextOf, record, request, second } from './journal-samples.ts';
import type { OpenStore } from './store-under-test.ts';
import { tracked } from './tracked-store.ts';

/** Contract of a store's leases. */
export function leaseContract(name: string, openPlain: OpenStore): void {
  const open = tracked(openPlain);
  describe(`lease contract: ${name}`, () => {
    it('[O3][P4] gives a session to one claim, which nobody else gets, also not in the same process', async () => {
      await using under = await open();
      await using other = await under.another();
      const { leases } = under.store;
      expect(leases.self.id).not.toBe(other.leases.self.id);
      expect(shownOf(await leases.claim(first))).toEqual({ epoch: 1, isUnclean: false, fences: 0 });
      expect(await leases.claim(first)).toEqual({ type: 'held', owner: leases.self });
      expect(await other.leases.claim(first)).toEqual({ type: 'held', owner: leases.self });
      expect(await other.leases.ownerOf(first)).toEqual(leases.self);
      expect(await other.leases.ownerOf(second)).toBeUndefined();
    });

    it('[O1][P4] lets exactly one of many claims at once win', async () => {
      await using under = await open();
      await using other = await under.another();
      const { leases } = under.store;
      const answers = await Promise.all([leases.claim(first), leases.claim(first), other.leases.claim(first)]);
      expect(answers.map(({ type }) => type).toSorted()).toEqual(['claimed', 'held', 'held']);
    });

    it('[O3] raises the epoch with every claim, and a claim releases only what it took', async () => {
      await using under = await open();
      await using other = await under.another();
      const { leases } = under.store;
      const mine = await claimOf(under.store, first);
      await mine.release();
      expect(await leases.ownerOf(first)).toBeUndefined();
      const theirs = await claimOf(other, first);
      expect(theirs.epoch).toBe(2);
      await mine.release();
      expect(await leases.ownerOf(first)).toEqual(other.leases.self);
      await theirs.release();
      const again = await claimOf(under.store, first);
      expect(again.epoch).toBe(3);
      await mine.release();
      await theirs.release();
      expect(await leases.ownerOf(first)).toEqual(leases.self);
      expect((await leases.claim(first)).type).toBe('held');
    });

    it('[O2] exchanges positions that only the store understands: from a claim, then from each append', async () => {
      await using under = await openPlain();
      const { journal } = under.store;
      const mine = await claimOf(under.store, first);
      const append = async (expected: number, name: string, position: Position) => {
        const answer = await journal.append(request(expected, [record(name)], { position }));
        return answer.type === 'appended' ? answer : { ...answer, position };
      };
      const one = await append(0, 'a', mine.position);
      const two = await append(1, 'b', one.position);
      await mine.release();
      const next = await claimOf(under.store, first);
      const answers = [one, two, await append(2, 'late', two.position), await append(2, 'c', next.position)];
      expect(answers.map(({ type }) => type)).toEqual(['appended', 'appended', 'fenced', 'appended']);
    });

    it('[O1] creation is its own claim: nothing is owned before the first append', async () => {
      await using under = await open();
      const { leases, journal } = under.store;
      const claim = leases.create(first);
      expect(await leases.ownerOf(first)).toBeUndefined();
      await claim.release();
      await journal.append(request(0, [record('a')]));
      expect(await leases.ownerOf(first)).toEqual(leases.self);
      expect(await leases.claim(first)).toEqual({ type: 'held', owner: leases.self });
      await claim.release();
      expect(await leases.ownerOf(first)).toBeUndefined();
    });

    it('[O4][P4] takes the sessions of a dead process at once; they are unclean until somebody cleans up', async () => {
      await using under = await open();
      const dead = await under.another();
      await claimOf(dead, first);
      await dead.journal.append(request(0, [record('a')]));
      await under.crash(dead);
      const taken = await claimOf(under.store, first);
      expect(summary(taken)).toEqual({ epoch: 2, isUnclean: true, fences: 1 });
      await taken.release();
      const again = await claimOf(under.store, first);
      expect(summary(again)).toEqual({ epoch: 3, isUnclean: true, fences: 1 });
      await again.cleaned();
      await again.release();
      expect(summary(await claimOf(under.store, first))).toEqual({ epoch: 4, isUnclean: false, fences: 0 });
    });

    it('[O4] an append that settles what was left in flight makes the session clean', async () => {
      await using under = await open();
      const dead = await under.another();
      await claimOf(dead, first);
      await under.crash(dead);
      const taken = await claimOf(under.store, first);
      await under.store.journal.append(request(0, [record('recovered')], { recovered: true }));
      await taken.release();
      expect(summary(await claimOf(under.store, first))).toEqual({ epoch: 3, isUnclean: false, fences: 0 });
    });

    it('[O1] counts owners in a row that did not release the session', async () => {
      await using under = await open();
      for (const fences of [0, 1, 2]) {
        const dead = await under.another();
        expect((await claimOf(dead, first)).fences).toBe(fences);
        await dead.journal.append(request(fences, [record('recovered')], { recovered: true }));
        await under.crash(dead);
      }
      expect((await claimOf(under.store, first)).fences).toBe(3);
    });

    it('[O5][P4] refuses the writes of an owner that slept past its lease and lost it, and notifies it once', async () => {
      await using under = await open();
      await using sleeper = await under.another();
      await claimOf(sleeper, first);
      await claimOf(sleeper, second);
      await under.lapse(sleeper);
      expect(await sleeper.journal.append(request(0, [record('a')]))).toEqual({ type: 'appended', seq: 1 });
      const lost = nextOf<readonly string[]>((listener) => sleeper.leases.onLost(listener));
      expect(summary(await claimOf(under.store, first))).toEqual({ epoch: 2, isUnclean: true, fences: 1 });
      expect(await sleeper.journal.append(request(1, [record('b')]))).toEqual({ type: 'fenced', epoch: 2 });
      expect((await lost).toSorted()).toEqual([first, second]);
      // The next owner must clean up sessions that it did not release.
      expect(summary(await claimOf(under.store, second))).toEqual({ epoch: 2, isUnclean: true, fences: 1 });
    });

    it('[O4] frees what a process owned when it closes; what it did not release is unclean', async () => {
      await using under = await open();
      const other = await under.another();
      await claimOf(other, first);
      await (await claimOf(other, second)).release();
      await other[Symbol.asyncDispose]();
      expect(summary(await claimOf(under.store, first))).toEqual({ epoch: 3, isUnclean: true, fences: 1 });
      expect(summary(await claimOf(under.store, second))).toEqual({ epoch: 2, isUnclean: false, fences: 0 });
    });

    it('[O7] asks the owner to hand over, who releases; the asker is notified and claims', async () => {
      await using under = await open();
      await using other = await under.another();
      const { leases } = under.store;
      const mine = await claimOf(under.store, first);
      const asked = nextOf((listener) => leases.onHandOverRequested(listener));
      const released = nextOf<string>((listener) => other.leases.onReleased(listener));
      await other.leases.requestHandOver(first, { withinMs: 25_000 });
      expect(await asked).toEqual({ session: first, withinMs: 25_000 });
      await mine.release();
      expect(await released).toBe(first);
      expect((await claimOf(other, first)).epoch).toBe(2);
    });

    it('[O7] keeps a request to hand over for an owner that listens later, and listens again', async () => {
      await using under = await open();
      await using other = await under.another();
      await claimOf(under.store, first);
      await other.leases.requestHandOver(first, {});
      for (const _ of ['first', 'second'])
        expect(await nextOf((listener) => under.store.leases.onHandOverRequested(listener))).toEqual({
          session: first,
        });
    });

    it('[O9] finds work in flight whose owner is gone or gave it up, and no session that waits for a person', async () => {
      await using under = await open();
      const dead = await under.another();
      const { leases } = under.store;
      const look = () => idsOf(leases, { at: 100, limit: 10 });
      for (const [session, state, inFlight] of [
        ['ses_working', 'running', true],
        ['ses_waiting', 'waiting', false],
        ['ses_given_up', 'running', true],
      ] as const) {
        const id = session as SessionId;
        const projection = { entry: directoryEntry(id, { state }), inFlight };
        const claim = dead.leases.create(id);
        await dead.journal.append(request(0, [record('a')], { session: id, projection }));
        if (session === 'ses_given_up') await claim.release();
      }
      expect(await look()).toEqual(['ses_given_up']);
      await under.crash(dead);
      expect((await look()).toSorted()).toEqual(['ses_given_up', 'ses_working']);
      await claimOf(under.store, 'ses_working' as SessionId);
      await claimOf(under.store, 'ses_given_up' as SessionId);
      expect(await look()).toEqual([]);
    });

    it('[O9] finds due timers and waiting letters of sessions that nobody owns', async () => {
      await using under = await open();
      await using other = await under.another();
      const { journal, leases, inbox } = under.store;
      const claim = leases.create(first);
      await journal.append(
        request(0, [record('a')], { projection: { entry: directoryEntry(first), due: timeAt(50) } }),
      );
      await other.journal.append(request(0, [record('a')], { session: second }));
      await inbox.put(second, { key: 'k', body: '{}' });
      expect(await idsOf(leases, { at: 100, limit: 10 })).toEqual([]);
      await claim.release();
      expect(await idsOf(leases, { at: 49, limit: 10 })).toEqual([]);
      expect(await idsOf(leases, { at: 50, limit: 10 })).toEqual([first]);
      await under.crash(other);
      expect(await idsOf(leases, { at: 50, limit: 10 })).toEqual([first, second]);
      expect(await idsOf(leases, { at: 50, limit: 1 })).toEqual([first]);
    });

    it('[O9] [C153] refuses and does not list what needs labels that are not offered', async () => {
      await using under = await open();
      await using other = await under.another();
      const { journal, leases, inbox } = under.store;
      const claim = leases.create(first);
      const entry = directoryEntry(first, { needs: ['docker', 'gpu'], title: 'says "needs": \u0000' });
      await journal.append(request(0, [record('a')], { projection: { entry, due: timeAt(50), inFlight: true } }));
      await inbox.put(first, { key: 'k', body: '{}' });
      const needs = ['docker', 'gpu'];
      expect(await other.leases.claim(first, { offers: [] })).toEqual({
        type: 'unserved',
        needs,
        owner: leases.self,
      });
      await claim.release();
      for (const offers of [[], ['docker'], ['other']]) {
        expect(await other.leases.claim(first, { offers })).toEqual({ type: 'unserved', needs });
        expect(await leases.claimable({ at: 50, limit: 10, offers })).toEqual([]);
      }
      const listed = [{ session: first, needs }];
      expect(await leases.claimable({ at: 50, limit: 10 })).toEqual(listed);
      expect(await leases.claimable({ at: 50, limit: 10, offers: ['gpu', 'eu', 'docker'] })).toEqual(listed);
      expect(await other.leases.claim(first, { offers: ['gpu', 'docker'] })).toMatchObject({ type: 'claimed' });
      await under.crash(other);
      expect(await leases.claimable({ at: 0, limit: 10, offers: ['gpu'] })).toEqual([]);
      expect(await leases.claimable({ at: 0, limit: 10, offers: ['gpu', 'docker'] })).toEqual(listed);
    });
  });
}

async function idsOf(leases: Store['leases'], look: ClaimableLook): Promise<readonly SessionId[]> {
  return (await leases.claimable(look)).map(({ session }) => session);
}

/** Claims a session that nobody else holds. */
export async function claimOf({ leases }: Pick<Store, 'leases'>, session: SessionId): Promise<Claim> {
  const answer = await leases.claim(session);
  if (answer.type !== 'claimed') throw new Error(`Session ${session} is held by ${answer.owner?.id}.`);
  return answer.claim;
}

function summary({ epoch, isUnclean, fences }: Claim) {
  return { epoch, isUnclean, fences };
}

function shownOf(answer: ClaimAnswer) {
  return answer.type === 'claimed' ? summary(answer.claim) : answer;
}
