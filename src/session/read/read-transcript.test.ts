import { afterEach, expect, test } from 'vitest';

import { positionAt } from '../../journal/epoch-position.ts';
import type { Journal, NewRecord } from '../../ports/journal.ts';
import { createMemoryStore } from '../../journal/memory-store.ts';
import { system } from '../../kernel/actor.ts';
import type { Event } from '../../kernel/event.ts';
import { optional } from '../../kernel/optional.ts';
import { createRondo, type Rondo } from '../../rondo.ts';
import { testTool } from '../../testing/test-tool.ts';
import { testingAgent } from '../../testing/testing-agent.ts';
import { lastPage } from '../../views/transcript-page.ts';
import { transcriptOf } from '../../views/transcript.ts';
import { readTranscript } from './read-transcript.ts';

const open: Rondo[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((rondo) => rondo.close()));
});

/** A session of this many turns with the same prompt, and a journal that counts reads. */
async function sessionOf(turns: number, prompt: string) {
  const store = createMemoryStore();
  const rondo = await createRondo(testingAgent({ store, tools: [testTool('look', () => 'seen')] }));
  open.push(rondo);
  const { id, chat } = await rondo.sessions.create();
  for (let turn = 0; turn < turns; turn += 1) await chat(prompt);
  const read: number[] = [];
  const journal: Journal = {
    ...store.journal,
    async readBack(session, range) {
      const page = await store.journal.readBack(session, range);
      read.push(page.events.length);
      return page;
    },
  };
  const whole = async () => transcriptOf(id, (await store.journal.read(id, { after: 0 })).events);
  return { id, journal, read, whole };
}

test('[P10] the newest page of a long conversation is read from about as many events as its items took', async () => {
  const { id, journal, read, whole } = await sessionOf(60, 'call look {}\nsay done');
  const page = await readTranscript(journal, id, { limit: 100 });
  expect(page.items.map((item) => item.id)).toEqual(lastPage(await whole(), 100).items.map((item) => item.id));
  expect(read).toEqual([250]);
});

test('[P10] a page whose items took more is read further back, no event twice', async () => {
  const { id, journal, read, whole } = await sessionOf(1, 'say done');
  const { last } = await journal.read(id, { after: 0 });
  const quiet: Event = { type: 'custom', name: 'own', data: 1 };
  const events: readonly Event[] = [
    { type: 'turn-started', prompt: 1 },
    quiet,
    quiet,
    { type: 'session-recovered', epoch: 1 },
  ];
  const record: NewRecord = { at: 1, by: system, events: events.map((event) => JSON.stringify(event)) };
  const records = Array.from({ length: 200 }, () => record);
  await journal.append({ session: id, position: positionAt(1), expected: last, records });
  const page = await readTranscript(journal, id, { limit: 100 });
  expect(page.items.map((item) => item.id)).toEqual(lastPage(await whole(), 100).items.map((item) => item.id));
  expect(read).toEqual([250, 250]);
});

test('a page that begins within a turn has that turn read from its beginning', async () => {
  const { id, journal, whole } = await sessionOf(9, `${'call look {}\n'.repeat(20)}say done`);
  for (const limit of [10, 30, 60]) {
    const { items } = await readTranscript(journal, id, { limit });
    const complete = lastPage(await whole(), limit).items;
    expect(items.map(({ type, id: item, at }) => [type, item, at])).toEqual(
      complete.map(({ type, id: item, at }) => [type, item, at]),
    );
  }
});

test('[C119] a page of a fork continues in its origin while there is room, and says where to continue', async () => {
  const store = createMemoryStore();
  const rondo = await createRondo(testingAgent({ store }));
  open.push(rondo);
  const origin = await rondo.sessions.create();
  for (const text of ['one', 'two']) await origin.chat(text);
  const { seq } = await origin.status();
  const fork = await origin.fork();
  await fork.chat('three');
  const page = (limit: number, before?: string) =>
    readTranscript(store.journal, fork.id, { limit, ...optional({ before }) });
  const all = (await page(100)).items.map((item) => item.id);
  const own = all.filter((item) => !item.includes(':')).length;
  expect(own).toBeGreaterThan(0);
  expect(all.length).toBeGreaterThan(own + 2);
  for (const limit of [own, own + 1, own + 2]) {
    const { items, before } = await page(limit);
    expect(items.map((item) => item.id)).toEqual(all.slice(-limit));
    const earlier = await page(100, before);
    expect(earlier.items.map((item) => item.id)).toEqual(all.slice(0, -limit));
  }
  expect((await page(own)).before).toBe(`${origin.id}:${seq + 1}`);
});
