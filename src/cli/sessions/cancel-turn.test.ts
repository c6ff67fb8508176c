import { expect, onTestFinished, test } from 'vitest';

import { openSqliteStore } from '../../journal/sqlite/sqlite-store.ts';
import { turnOf } from '../../kernel/state.ts';
import type { Store } from '../../ports/store.ts';
import { createRondo } from '../../rondo.ts';
import { loadSession } from '../../session/read/load-session.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { testingAgent } from '../../testing/testing-agent.ts';
import { cancelTurn } from './cancel-turn.ts';

test('[P6] a process that cancels and exits at once has cancelled, although nobody owns the session any more', async () => {
  await using folder = await temporaryFolder();
  const path = folder.at('rondo.db');
  const owner = await createRondo(testingAgent({ store: await openSqliteStore({ path }) }));
  const session = await owner.sessions.create();
  const ended = session.chat('hang');
  const store = await openSqliteStore({ path });
  onTestFinished(() => store[Symbol.asyncDispose]());
  const load = async () => {
    const loaded = await loadSession(store.journal, session.id);
    if (loaded === undefined) throw new Error('The session is gone.');
    return loaded;
  };
  await expect.poll(async () => turnOf((await load()).state)).toBeDefined();
  const exiting: Store = {
    ...store,
    inbox: {
      ...store.inbox,
      async answerTo(...given) {
        const answer = await store.inbox.answerTo(...given);
        await ended;
        await owner.close();
        return answer;
      },
    },
  };
  expect(await cancelTurn({ store: exiting, load }, session.id, 'enough')).toEqual({
    type: 'asked',
    pid: process.pid,
  });
});
