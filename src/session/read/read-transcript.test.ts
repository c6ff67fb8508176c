import { afterEach, expect, test } from 'vitest';

import { positionAt } from '../../journal/epoch-position.ts';
import type { Journal, NewRecord } from '../../journal/journal.ts';
import { createMemoryStore } from '../../journal/memory-store.ts';
import { system } from '../../kernel/actor.ts';
import type { Event } from '../../kernel/event.ts';
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

/** A session of so many turns with the same prompt, and a journal that counts what is read of it. */
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
