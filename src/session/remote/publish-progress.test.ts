import { expect, test } from 'vitest';

import type { Bus } from '../../ports/bus.ts';
import type { EffectId, SessionId } from '../../kernel/ids.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createBroadcast } from '../live/broadcast.ts';
import type { LiveSession } from '../live/live-session.ts';
import { publishProgress } from './publish-progress.ts';
import { addProgress, newStreams } from '../live/streams.ts';

const id = 'ses_1' as SessionId;

function setUp() {
  const clock = createFakeClock();
  const listeners = new Map<string, (message: string) => void>();
  const published: string[] = [];
  const bus = {
    publish: (topic: string, message: string) => {
      const { text, offset } = JSON.parse(message) as { text: string; offset: number };
      published.push(`${topic} @${offset} ${text}`);
    },
    subscribe: (topic: string, listener: (message: string) => void) => {
      listeners.set(topic, listener);
      return () => listeners.delete(topic);
    },
  } as unknown as Bus;
  const broadcast = createBroadcast();
  const streams = newStreams();
  const live = { streams, broadcast: () => broadcast } as unknown as LiveSession;
  const lives = new Map([[id, live]]);
  const stop = publishProgress(bus, (session) => lives.get(session), clock);
  const say = (text: string) =>
    broadcast.tell(addProgress(streams, { effect: 'ses_1.4' as EffectId, attempt: 1, kind: 'text', text }));
  const hear = (topic: string, session: string = id) => listeners.get(topic)?.(session);
  return { clock, published, broadcast, say, hear, stop, listeners };
}

test('[P5] [P10] text is published as long as somebody elsewhere follows, from its beginning for each who joins', async () => {
  const { published, say, hear, broadcast } = setUp();
  say('The ');
  expect([published, broadcast.listeners()]).toEqual([[], 0]);
  hear('join');
  say('ses');
  hear('watch');
  hear('join');
  hear('join', 'ses_unknown');
  broadcast.tell({ type: 'gap', from: 1, to: 2 });
  expect(published).toEqual(['progress:ses_1 @0 The ', 'progress:ses_1 @4 ses', 'progress:ses_1 @0 The ses']);
  expect(broadcast.listeners()).toBe(1);
});

test('[P10] a follower that misses two of its words counts as gone', async () => {
  const { clock, published, say, hear, broadcast } = setUp();
  hear('watch');
  await clock.advance(4000);
  hear('watch');
  await clock.advance(5999);
  expect(broadcast.listeners()).toBe(1);
  await clock.advance(1);
  expect(broadcast.listeners()).toBe(0);
  say('unheard');
  expect(published).toEqual([]);
  hear('watch');
  expect(broadcast.listeners()).toBe(1);
});

test('[P10] a session that ends is published no more, and begins again when it is followed again', async () => {
  const { hear, broadcast, clock } = setUp();
  hear('join');
  broadcast.end();
  await clock.advance(20_000);
  hear('join');
  expect(broadcast.listeners()).toBe(1);
});

test('a process that stops listens to nobody', () => {
  const { hear, stop, broadcast, listeners } = setUp();
  hear('join');
  stop();
  expect([broadcast.listeners(), listeners.size]).toEqual([0, 0]);
});
