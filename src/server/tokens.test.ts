import { expect, test } from 'vitest';

import { createFakeClock } from '../testing/fake-clock.ts';
import { createTokens } from './tokens.ts';

const day = 86_400_000;

/** A server's tokens, and the same file as a CLI command next to it sees it. */
function place() {
  let content: unknown;
  const file = {
    read: () => Promise.resolve(content),
    update(change: (value: unknown) => unknown) {
      content = change(content);
      return Promise.resolve();
    },
  };
  const clock = createFakeClock({ now: Date.UTC(2026, 0, 1) });
  const open = () => createTokens({ file, owner: 'the owner', now: () => clock.now() });
  return { clock, server: open(), command: open() };
}

test('a token lasts as long as it was issued for, by the clock: set ahead it is over, put right it is not', async () => {
  const { clock, server, command } = place();
  const { secret } = await command.issue({ name: 'ci', role: 'prompter', lifeMs: day });
  const isLetIn = async () => (await server.identify(secret)) !== undefined;
  expect(await isLetIn()).toBe(true);
  clock.set(2 * day);
  expect(await isLetIn()).toBe(false);
  // Issuing another token under the wrong clock discards none.
  await command.issue({ name: 'other', role: 'viewer', lifeMs: day });
  clock.set(-2 * day);
  expect(await isLetIn()).toBe(true);
  await clock.advance(day);
  expect(await isLetIn()).toBe(false);
  await clock.advance(31 * day);
  await command.issue({ name: 'third', role: 'viewer' });
  clock.set(-32 * day);
  expect((await command.list()).map(({ name }) => name)).toEqual(['other', 'third']);
});

test.each([day, -day])(
  'a token that was revoked lets nobody in although the clock was set by %i ms',
  async (by) => {
    const { clock, server, command } = place();
    const { secret, record } = await command.issue({ name: 'ci', role: 'prompter' });
    expect(await server.identify(secret)).toMatchObject({ role: 'prompter' });
    await command.revoke(record.id);
    clock.set(by);
    expect(await server.identify(secret)).toBeUndefined();
  },
);
