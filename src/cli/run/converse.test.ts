import { expect, test } from 'vitest';

import type { Session } from '../../session/handle/session.ts';
import type { Update } from '../../session/update.ts';
import { rondoOfTest } from '../../testing/rondo-of-test.ts';
import { testTool } from '../../testing/test-tool.ts';
import { testingAgent } from '../../testing/testing-agent.ts';
import { converse } from './converse.ts';

/** A follower that has received nothing when the turn has already ended. */
const late = (session: Session): Session => ({
  ...session,
  async *follow(options) {
    await new Promise((resolve) => options?.signal?.addEventListener('abort', resolve));
    yield* session.follow(options);
  },
});

async function said(prompt: string, mode: 'tool-only' | 'interactive', watched = late) {
  const rondo = await rondoOfTest({ ...testingAgent(), tools: [testTool('look', () => 'Three files.')] });
  const session = await rondo.sessions.create({ mode });
  const updates: Update[] = [];
  const result = await converse(prompt, {
    session: watched(session),
    mode,
    isAttended: false,
    onBegin: () => undefined,
    onEarlier: () => undefined,
    onUpdate: (update) => void updates.push(update),
    onGivenUp: async () => undefined,
  });
  const events = updates.flatMap((update) => (update.type === 'event' ? [update.recorded] : []));
  return { session, result, events };
}

test('[C150] the output of a call is a reply although the turn ended before any update of it arrived', async () => {
  const { result } = await said('look', 'tool-only');
  expect(result).toMatchObject({ outcome: 'completed', text: 'Three files.' });
});

test('a run shows every event of its turn, once, whether its follower was late or not', async () => {
  for (const watched of [late, (session: Session) => session]) {
    const { session, events } = await said('call look {}\nsay done', 'interactive', watched);
    const { events: stored } = await session.events({ after: 0 });
    expect(events).toEqual(stored);
    expect(events.at(-1)?.event.type).toBe('turn-ended');
  }
});
