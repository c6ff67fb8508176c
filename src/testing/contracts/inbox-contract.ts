/** Inputs between processes, whatever they are kept in. */
import { describe, expect, it } from 'vitest';

import { first, nextOf, second } from './journal-samples.ts';
import type { OpenStore } from './store-under-test.ts';

/** What every store promises of its inbox. */
export function inboxContract(name: string, open: OpenStore): void {
  describe(`inbox contract: ${name}`, () => {
    it('wakes the owner, who takes the messages in order and settles them; the sender gets the answer', async () => {
      await using under = await open();
      await using sender = await under.another();
      const { inbox, leases } = under.store;
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
      await inbox.settle(one, 'done');
      expect(await answer).toBe('done');
      expect(await inbox.take(first)).toEqual([{ id: two, key: 'k2', body: '{"n":2}' }]);
    });

    it('gives an answer that came before it was asked for, and the first one only', async () => {
      await using under = await open();
      const { inbox } = under.store;
      const id = await inbox.put(first, { key: 'k1', body: '{}' });
      await inbox.settle(id, 'first');
      await inbox.settle(id, 'second');
      expect(await inbox.answerTo(id, { timeoutMs: 0 })).toBe('first');
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
      await inbox.settle(id, 'done');
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
