import { expect, test, vi } from 'vitest';

import { createLocalClient } from '../../assembly/local-client.ts';
import { createRondo } from '../../rondo.ts';
import { testingAgent } from '../../testing/testing-agent.ts';
import type { ChatBackend } from './chat-backend.ts';
import type { Screen } from './chat.ts';
import { createChat } from './create-chat.ts';

test('[P5] after a lost connection one line tells how long it took and how many events came', async () => {
  await using rondo = await createRondo(testingAgent());
  const by = { type: 'person', name: 'owner' } as const;
  const client = createLocalClient({ rondo, catalog: {}, cwd: process.cwd(), by });
  const link = { isLost: false, changed: () => undefined as void };
  const backend = {
    ...client,
    link: {
      get isLost() {
        return link.isLost;
      },
      watch: (changed: () => void) => (link.changed = changed),
    },
    self: 'owner',
    theme: async () => ({}),
    branch: async () => undefined,
  } as unknown as ChatBackend;
  const chat = createChat(backend, { changed: () => undefined } as unknown as Screen);
  const session = await client.create({});
  await chat.begin(session);
  await chat.submit('say one');
  await chat.settled();
  const lose = (isLost: boolean) => {
    link.isLost = isLost;
    link.changed();
  };
  const before = (await session.status()).seq;
  lose(true);
  await (await rondo.sessions.open(session.id)).chat('say two');
  const missed = (await session.status()).seq - before;
  lose(false);
  const notes = () => chat.view.notes.map(({ text }) => text.replace(/\d+\.\ds/, 'a while'));
  await vi.waitFor(() => expect(notes()).toEqual([`Reconnected after a while, ${missed} events.`]));
  lose(true);
  lose(false);
  await vi.waitFor(() => expect(notes().at(-1)).toBe('Reconnected after a while.'));
  chat.close();
});
