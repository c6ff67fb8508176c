/** Contract of messages between processes, over any transport. */
import { describe, expect, it } from 'vitest';

import type { Bus } from '../../ports/bus.ts';
import type { OpenStore } from './store-under-test.ts';

/** Contract of a store's bus. */
export function busContract(name: string, open: OpenStore): void {
  describe(`bus contract: ${name}`, () => {
    it('carries messages to every other process that subscribed, in order, never back [C97]', async () => {
      await using under = await open();
      await using second = await under.another();
      await using third = await under.another();
      const own: string[] = [];
      under.store.bus.subscribe('progress', (message) => own.push(message));
      const atSecond: string[] = [];
      const atThird: string[] = [];
      await untilHeard('progress', under.store.bus, second.bus, atSecond);
      await untilHeard('progress', under.store.bus, third.bus, atThird);
      const messages = Array.from({ length: 100 }, (_, index) => `{"n":${index},"text":"a\\nb"}`);
      for (const message of messages) under.store.bus.publish('progress', message);
      await expect.poll(() => [atSecond, atThird].map(withoutProbes)).toEqual([messages, messages]);
      expect(own).toEqual([]);
    });

    it('keeps topics apart, and forgets a subscriber that left', async () => {
      await using under = await open();
      await using other = await under.another();
      const one: string[] = [];
      const two: string[] = [];
      await untilHeard('one', under.store.bus, other.bus, one);
      const leave = other.bus.subscribe('two', (message) => two.push(message));
      await untilHeard('two', under.store.bus, other.bus, []);
      leave();
      const before = two.length;
      under.store.bus.publish('two', 'late');
      under.store.bus.publish('one', 'last');
      await expect.poll(() => withoutProbes(one)).toEqual(['last']);
      expect(two.length).toBe(before);
    });

    it('loses messages that nobody subscribed to', async () => {
      await using under = await open();
      under.store.bus.publish('nobody', 'lost');
      await using other = await under.another();
      const seen: string[] = [];
      other.bus.subscribe('nobody', (message) => seen.push(message));
      under.store.bus.publish('elsewhere', 'lost as well');
      expect(seen).toEqual([]);
    });
  });
}

/** Publishes probes until one arrives: a bus may need a moment until a subscription is active everywhere. */
async function untilHeard(topic: string, from: Bus, to: Bus, seen: string[]): Promise<void> {
  to.subscribe(topic, (message) => seen.push(message));
  let heard = false;
  const stop = to.subscribe(topic, () => (heard = true));
  await expect
    .poll(() => {
      from.publish(topic, 'probe');
      return heard;
    })
    .toBe(true);
  stop();
}

function withoutProbes(seen: readonly string[]): readonly string[] {
  return seen.filter((message) => message !== 'probe');
}
