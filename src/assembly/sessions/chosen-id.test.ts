import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

import { createRondo } from '../../rondo.ts';
import { testingAgent } from '../../testing/testing-agent.ts';

test('[C150] a session is created under an id of the caller’s, and found by it', async () => {
  await using rondo = await createRondo(testingAgent());
  const session = await rondo.sessions.create({ id: 'ses_invoice42' });
  expect([session.id, (await session.chat('hello')).text]).toEqual(['ses_invoice42', 'You said: hello']);
  expect((await rondo.sessions.open('ses_invoice42')).id).toBe('ses_invoice42');
});

test.each(['invoice42', 'ses_', 'ses_a/b', 'ses_a b', `ses_${'x'.repeat(61)}`, 'job_1', ''])(
  '[C150] %j is no id',
  async (id) => {
    await using rondo = await createRondo(testingAgent());
    await expect(rondo.sessions.create({ id })).rejects.toThrow(
      `Can't create a session: invalid id ${JSON.stringify(id)}. An id is ses_ and 1 to 60 letters and digits.`,
    );
  },
);

test('[C150] [P1] an id that exists is a clear error, in this process and in another, used or not', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-id-'));
  const store = `sqlite:${path.join(folder, 'rondo.db')}`;
  try {
    await using one = await createRondo({ ...testingAgent(), store });
    await using two = await createRondo({ ...testingAgent(), store });
    const taken = "Can't create session ses_mine: this id is taken.";
    const first = await one.sessions.create({ id: 'ses_mine' });
    await expect(one.sessions.create({ id: 'ses_mine' })).rejects.toThrow(taken);
    // Nothing is written yet, so the other process can't know. The first to write gets the id.
    const late = await two.sessions.create({ id: 'ses_mine' });
    expect((await first.chat('first')).text).toBe('You said: first');
    await expect(late.persist()).rejects.toThrow('ses_mine');
    await expect(two.sessions.create({ id: 'ses_mine' })).rejects.toMatchObject({ code: 'conflict' });
    const { events } = await first.events({ after: 0 });
    expect(events.filter(({ event }) => event.type === 'session-created')).toHaveLength(1);
  } finally {
    await rm(folder, { recursive: true });
  }
});
