/** Contract of inputs between processes, in any store. */
import { describe, expect, it } from 'vitest';

import { first, nextOf, record, request, second } from './journal-samples.ts';
import type { OpenStore } from './store-under-test.ts';
import { tracked } from './tracked-store.ts';

/** Contract of a store's inbox. */
export function inboxContract(name: string, openPlain: OpenStore): void {
  const open = tracked(openPlain);
  describe(`inbox contract: ${name}`, () => {
    it('wakes the owner, who takes the messages in order and settles them; the sender gets the answer', async () => {
      await using under = await open();
      await using sender = await under.another();
      const { inbox, leases, journal } = under.store;
      await leases.claim(first);
      const arrival = nextOf<string>((listener) => inbox.onArrival(listener));
      const one = await sender.inbox.put(first, { key: 'k1', body: '{"n":1}' });
      const two = await sender.inbox.put(first, { key: 'k2', body: '{"n":2}' });
      expect(await arrival).toBe(first);
      expect(await inbox.take(first)).toEqual([
        { id: one, key: 'k1', body: '{"n":1}' },
        { id: two, key: 'k2', body: '{"n":2}' },
      ]);
      const answer = sender.inbox.answerTo(one, { timeoutMs: 4000 });
      // [O8] The append that the letter causes settles it.
      const settles = [{ letter: one, answer: 'done' }];
      expect(await journal.append(request(0, [record('a')], { settles }))).toEqual({ type: 'appended', seq: 1 });
      expect(await answer).toBe('done');
      expect(await inbox.take(first)).toEqual([{ id: two, key: 'k2', body: '{"n":2}' }]);
    });

    it('[O8] gives an answer that came before it was asked for, and the first one only', async () => {
      await using under = await open();
      const { inbox, journal } = under.store;
      const id = await inbox.put(first, { key: 'k1', body: '{}' });
      for (const [seq, answer] of [
        [0, 'first'],
        [1, 'second'],
      ] as const) {
        await journal.append(request(seq, [record(answer)], { settles: [{ letter: id, answer }] }));
      }
      await inbox.withdraw(id, 'third');
      expect(await inbox.answerTo(id, { timeoutMs: 0 })).toBe('first');
    });

    it('[O8] settles a refused letter with an append that has no events, which nobody follows', async () => {
      await using under = await open();
      const { inbox, journal } = under.store;
      await journal.append(request(0, [record('a')]));
      const id = await inbox.put(first, { key: 'k1', body: '{}' });
      const commits: unknown[] = [];
      journal.onCommit((commit) => commits.push(commit));
      const settling = request(1, [], { settles: [{ letter: id, answer: 'refused' }] });
      expect(await journal.append(settling)).toEqual({ type: 'appended', seq: 1 });
      expect(await inbox.answerTo(id, { timeoutMs: 0 })).toBe('refused');
      expect([await inbox.take(first), commits]).toEqual([[], []]);
      expect(await journal.append(request(1, [record('b')]))).toEqual({ type: 'appended', seq: 2 });
    });

    it('[O8] sets a letter that cannot be read aside: it is answered, kept, and blocks nobody', async () => {
      await using under = await open();
      const { inbox } = under.store;
      const bad = await inbox.put(first, { key: 'k1', body: 'no JSON' });
      const good = await inbox.put(first, { key: 'k2', body: '{}' });
      await inbox.bury(bad, { answer: 'refused', reason: 'it can not be read' });
      expect(await inbox.take(first)).toEqual([{ id: good, key: 'k2', body: '{}' }]);
      expect(await inbox.answerTo(bad, { timeoutMs: 0 })).toBe('refused');
      const { inbox: reopened } = await under.reopen();
      expect(await reopened.buried()).toEqual([
        { id: bad, session: first, key: 'k1', body: 'no JSON', reason: 'it can not be read' },
      ]);
    });

    it('[O14] calls the owner again while letters are unsettled: a wake-up that was wasted is not lost', async () => {
      await using under = await open();
      await using sender = await under.another();
      const { inbox, leases } = under.store;
      await leases.claim(first);
      const arrivals: string[] = [];
      inbox.onArrival((session) => arrivals.push(session));
      await sender.inbox.put(first, { key: 'k1', body: '{}' });
      await expect.poll(() => arrivals.length).toBeGreaterThan(0);
      const before = arrivals.length;
      // Nobody took the first letter; the next one wakes the owner again.
      await sender.inbox.put(second, { key: 'k1', body: '{}' });
      await sender.inbox.put(first, { key: 'k2', body: '{}' });
      await expect.poll(() => arrivals.length).toBeGreaterThan(before);
    });

    it('answers undefined when no answer came in time, and keeps the message', async () => {
      await using under = await open();
      const { inbox } = under.store;
      const id = await inbox.put(first, { key: 'k1', body: '{}' });
      expect(await inbox.answerTo(id, { timeoutMs: 10 })).toBeUndefined();
      expect(await inbox.answerTo(id + 100, { timeoutMs: 10 })).toBeUndefined();
      expect(await inbox.take(first)).toEqual([{ id, key: 'k1', body: '{}' }]);
    });

    it('gives what a dead owner left unsettled to the next one', async () => {
      await using under = await open();
      const dead = await under.another();
      await dead.leases.claim(first);
      const id = await under.store.inbox.put(first, { key: 'k1', body: '{}' });
      expect(await dead.inbox.take(first)).toEqual([{ id, key: 'k1', body: '{}' }]);
      await under.crash(dead);
      await under.store.leases.claim(first);
      expect(await under.store.inbox.take(first)).toEqual([{ id, key: 'k1', body: '{}' }]);
    });

    it('keeps messages for a session that nobody owns, over a restart, and names it [P1]', async () => {
      await using under = await open();
      const id = await under.store.inbox.put(second, { key: 'k1', body: '{"kept":true}' });
      await under.store.inbox.put(first, { key: 'k1', body: '{}' });
      const { inbox } = await under.reopen();
      expect(await inbox.pending()).toEqual([first, second]);
      expect(await inbox.take(second)).toEqual([{ id, key: 'k1', body: '{"kept":true}' }]);
      await inbox.withdraw(id, 'done');
      expect(await inbox.pending()).toEqual([first]);
    });

    it('does not wake a process that does not own the session', async () => {
      await using under = await open();
      await using other = await under.another();
      await under.store.leases.claim(first);
      await other.leases.claim(second);
      const seen: string[] = [];
      other.inbox.onArrival((session) => seen.push(session));
      const arrival = nextOf<string>((listener) => other.inbox.onArrival(listener));
      await under.store.inbox.put(first, { key: 'k1', body: '{}' });
      await under.store.inbox.put(second, { key: 'k1', body: '{}' });
      expect(await arrival).toBe(second);
      expect(seen).toEqual([second]);
    });
  });
}
