import { expect, test } from 'vitest';

import { createTestingModel } from '../../models/testing-model.ts';
import type { Model } from '../../ports/model.ts';
import { createRondo } from '../../rondo.ts';
import { testingAgent } from '../../testing/testing-agent.ts';

/** Fails once, as a provider that is down for a moment does. */
function brieflyDown(): Model {
  const model = createTestingModel();
  let calls = 0;
  return {
    ...model,
    call: async (...given) =>
      (calls += 1) === 1
        ? { type: 'failed', code: 'model-unavailable', message: 'Overloaded', retryable: true }
        : model.call(...given),
  };
}

test('[C126] retry-now ends the pause before the next attempt; without one it is refused', async () => {
  await using rondo = await createRondo(testingAgent({ models: { testing: brieflyDown() } }));
  const session = await rondo.sessions.create({ limits: { errorPauseMs: 600_000 } });
  const types = async () => (await session.events({ after: 0 })).events.map(({ event }) => event.type);
  const turn = session.chat('say Here again.');
  await expect.poll(types).toContain('wait-intended');
  expect((await session.send({ type: 'retry-now' })).type).toBe('accepted');
  await turn;
  const all = await types();
  const after = all.slice(all.indexOf('wait-intended'));
  expect(after).toEqual(['wait-intended', 'wait-ended', 'model-call-intended', 'model-settled', 'turn-ended']);
  expect(await session.send({ type: 'retry-now' })).toMatchObject({
    type: 'refused',
    refusal: { code: 'conflict', message: "The session isn't waiting for its provider." },
  });
});
