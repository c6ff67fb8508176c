import { expect, test } from 'vitest';

import { createMemoryStore } from '../../journal/memory-store.ts';
import { rondoOfTest } from '../../testing/rondo-of-test.ts';
import { testingAgent } from '../../testing/testing-agent.ts';
import { eventOfTurn } from './event-of-turn.ts';

test('[C119] turns are numbered: 0 is before the first, and an unfinished one is refused', async () => {
  const store = createMemoryStore();
  const rondo = await rondoOfTest(testingAgent({ store }));
  const session = await rondo.sessions.create();
  const ends: number[] = [];
  for (const text of ['one', 'two']) {
    await session.chat(text);
    ends.push((await session.status()).seq);
  }
  const { journal } = store;
  expect(await Promise.all([0, 1, 2].map((turn) => eventOfTurn(journal, session.id, turn)))).toEqual([1, ...ends]);
  await expect(eventOfTurn(journal, session.id, 3)).rejects.toThrow(
    `Can't find turn 3 of session ${session.id}. Use 0 to 2, the turns that have ended, or an event.`,
  );
});
