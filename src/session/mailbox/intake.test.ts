/** Prompts whose content is still being written to a blob when the session ends or the disk fails. */
import { expect, test } from 'vitest';

import { createMemoryStore } from '../../journal/memory-store.ts';
import { Fault } from '../../kernel/fault.ts';
import type { BlobHash, SessionId } from '../../kernel/ids.ts';
import { newState } from '../../kernel/state.ts';
import { step } from '../../kernel/decide/step.ts';
import { chat, created } from '../../testing/inputs.ts';
import type { LiveSession } from '../live/live-session.ts';
import { startSession } from '../live/start-session.ts';

const by = { type: 'person', name: 'ada' } as const;
const long = (letter: string) => chat(letter.repeat(5000));

function liveWith(putBlob: () => Promise<BlobHash>): LiveSession {
  const store = createMemoryStore();
  return startSession(
    {
      store: { journal: store.journal, leases: store.leases, blobs: { ...store.blobs, put: putBlob } },
      interpreter: {
        carryOut: () => undefined,
        describe: async () => [],
        isAsking: () => false,
        drop: async () => [],
        leave: () => Promise.resolve(),
      },
      step,
      now: () => 1,
      bootTime: () => ({ boot: 'boot-1', uptime: 1 }),
      pause: () => Promise.resolve(),
      onSuspended: () => undefined,
    },
    {
      state: newState('ses_1' as SessionId),
      claim: store.leases.create('ses_1' as SessionId),
      snapshotSeq: 0,
      snapshotSize: 0,
      setup: { body: created(), by, creation: undefined },
    },
  );
}

test('[P1] a prompt that comes while the session waits for another’s content to end is answered', async () => {
  const written = [Promise.withResolvers<BlobHash>(), Promise.withResolvers<BlobHash>()];
  const waiting = [...written];
  const live = liveWith(() => waiting.shift()?.promise ?? Promise.reject(new Error('A third blob is written.')));
  const first = live.submit(long('a'), { by });
  const stopping = live.stop();
  const second = live.submit(long('b'), { by });
  written[0]?.resolve('hash' as BlobHash);
  expect(await first).toMatchObject({ type: 'accepted' });
  await stopping;
  written[1]?.resolve('hash' as BlobHash);
  await expect(second).rejects.toThrow('This process no longer holds session');
});

test("[P1] refuses a prompt whose content can't be written, and those queued after it, with the reason", async () => {
  const live = liveWith(() => Promise.reject(new Fault('disk-full', 'The disk is full.')));
  const first = live.submit(long('a'), { by });
  const second = live.submit(long('b'), { by });
  await expect(first).rejects.toThrow('The disk is full.');
  await expect(second).rejects.toThrow('The disk is full.');
});

test('[P1] a failure while earlier content is still on its way is handled: the session is suspended in order', async () => {
  const slow = Promise.withResolvers<BlobHash>();
  const results = [slow.promise, Promise.reject<BlobHash>(new Fault('disk-full', 'The disk is full.'))];
  results[1]?.catch(() => undefined);
  const live = liveWith(async () => (await results.shift()) ?? ('none' as BlobHash));
  const first = live.submit(long('a'), { by });
  const second = live.submit(long('b'), { by });
  // Long enough for the process to report an unhandled rejection.
  await new Promise((resolve) => void setTimeout(resolve, 10));
  slow.resolve('hash' as BlobHash);
  expect(await first).toMatchObject({ type: 'accepted' });
  await expect(second).rejects.toThrow('The disk is full.');
});
