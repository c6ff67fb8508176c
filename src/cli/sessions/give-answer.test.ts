// Answers to a session that no process runs, or whose owner stops answering.
import { expect, onTestFinished, test } from 'vitest';

import { openSqliteStore } from '../../journal/sqlite/sqlite-store.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { Store } from '../../ports/store.ts';
import { createRondo } from '../../rondo.ts';
import { loadSession } from '../../session/read/load-session.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { testTool } from '../../testing/test-tool.ts';
import { testingAgent } from '../../testing/testing-agent.ts';
import { deliver, lettersFor } from './reach-session.ts';
import { giveAnswer } from './give-answer.ts';

/** A stored session with an open question and no owner. */
async function asked() {
  const folder = await temporaryFolder();
  const path = folder.at('rondo.db');
  const open = async () => {
    const store = await openSqliteStore({ path });
    onTestFinished(() => store[Symbol.asyncDispose]());
    return store;
  };
  onTestFinished(() => folder[Symbol.asyncDispose]());
  const owner = await openSqliteStore({ path });
  const pay = testTool('pay', () => 'paid', { access: 'execute', repeat: 'never' });
  const rondo = await createRondo(testingAgent({ store: owner, tools: [pay] }));
  const session = await rondo.sessions.create();
  await session.chat('call pay {}\nsay finished');
  await rondo.close();
  const store = await open();
  const state = (await loadSession(store.journal, session.id))?.state;
  const question = state?.questions[0];
  if (state === undefined || question === undefined) throw new Error('Nothing is asked.');
  return { open, store, state, question };
}

/** A process that owns the session and takes no letters. */
async function claimSilently(store: Store, session: SessionId): Promise<void> {
  expect(await store.leases.claim(session)).toMatchObject({ type: 'claimed' });
}

test('[P3] [O8] the second answer to a session with a silent owner learns that the first stands', async () => {
  const { open, store, state, question } = await asked();
  await claimSilently(await open(), state.id);
  const silent: Store = { ...store, inbox: { ...store.inbox, answerTo: async () => undefined } };
  const first = await giveAnswer(silent, state, question, { type: 'allow-once' });
  const second = await giveAnswer(silent, state, question, { type: 'reject' });
  expect([first, second]).toEqual([
    { type: 'kept', letter: 1, silent: process.pid },
    { type: 'refused', message: `question ${question.id} was already answered "allow-once" by you` },
  ]);
  expect((await lettersFor(store, state.id)).map(({ id }) => id)).toEqual([1]);
});

test('[O8] a letter that can’t be read neither hides the others nor fails an answer', async () => {
  const { store, state, question } = await asked();
  await store.inbox.put(state.id, { key: 'bad', body: 'no JSON' });
  await store.inbox.put(state.id, { key: 'nobody', body: '{"body":{"type":"interrupted"},"by":null}' });
  expect(await giveAnswer(store, state, question, { type: 'allow-once' })).toEqual({ type: 'kept', letter: 3 });
  expect((await lettersFor(store, state.id)).map(({ id }) => id)).toEqual([3]);
});

test('[P3] [O8] an answer that comes too late is refused, though nobody owned the session when it was sent', async () => {
  const { open, store, state, question } = await asked();
  const next = await createRondo(testingAgent({ store: await open() }));
  const lateStore: Store = {
    ...store,
    inbox: {
      ...store.inbox,
      // A process opens the session right after this command found none, and takes the letter.
      async put(...given) {
        await (await next.sessions.open(state.id)).answer(question.id, { type: 'reject' });
        const letter = await store.inbox.put(...given);
        while ((await store.inbox.take(state.id)).length > 0) await new Promise((later) => setTimeout(later, 5));
        return letter;
      },
    },
  };
  expect(await giveAnswer(lateStore, state, question, { type: 'allow-once' })).toMatchObject({ type: 'refused' });
  await next.close();
});

test('[O8] an input whose owner dies right after accepting it continues with the next process, not in the dead one', async () => {
  const { store, state } = await asked();
  const { self } = store.leases;
  let isDead = false;
  const dying: Store = {
    ...store,
    leases: {
      ...store.leases,
      self,
      ownerOf: async () => ({ ...self, id: 'owner', ...(isDead && { startedAt: 'long ago' }) }),
    },
    inbox: {
      ...store.inbox,
      async answerTo() {
        isDead = true;
        return '{"type":"accepted","seq":9}';
      },
    },
  };
  expect(await deliver(dying, state.id, { type: 'interrupted' })).toEqual({ type: 'kept', letter: 1 });
});
