// Inputs for, and updates of, a session that another process owns, against a store with scripted answers.
import { expect, test } from 'vitest';

import { readerVersion } from '../../journal/reader-version.ts';
import type { Store } from '../../ports/store.ts';
import { system } from '../../kernel/actor.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { listenRemotely } from './listen-remotely.ts';
import { sendInput } from '../handle/send-input.ts';
import type { HandlePlace } from '../handle/session-place.ts';
import { awaitReceipt, sendLetter } from './submit-remotely.ts';
import type { Update } from '../update.ts';

const id = 'ses_1' as SessionId;
const by = { type: 'person', name: 'Ada' } as const;

/** A store whose inbox returns these answers, one per request. */
function mailStore(answers: readonly (string | undefined)[], owner: string | undefined) {
  const asked: unknown[] = [];
  const put: unknown[] = [];
  const store = {
    inbox: {
      put: async (session: string, letter: unknown) => (put.push([session, letter]), 7),
      async answerTo(letter: number, options: object) {
        asked.push([letter, options]);
        return answers[asked.length - 1];
      },
    },
    leases: { ownerOf: async () => (owner === undefined ? undefined : { id: owner }), self: { id: 'me' } },
  } as unknown as Store;
  return { store, asked, put };
}

test('[O8] a sender waits for its receipt up to three times, a second each', async () => {
  const { store, asked } = mailStore([], 'other');
  expect(await awaitReceipt(store, id, 7)).toBe('owner-silent');
  expect(asked).toEqual(Array.from({ length: 3 }, () => [7, { timeoutMs: 1000 }]));
});

test.each([[undefined], ['me']])('[O8] reports that nobody else will answer if the owner is %s', async (owner) => {
  const { store, asked } = mailStore([], owner);
  expect(await awaitReceipt(store, id, 7)).toBe('owner-silent');
  expect(asked).toHaveLength(1);
});

test('[O8] the answer to a letter is its receipt, also when it comes late', async () => {
  const { store, asked } = mailStore([undefined, '{"type":"accepted","seq":9}'], 'other');
  expect(await awaitReceipt(store, id, 7)).toEqual({ type: 'accepted', seq: 9 });
  expect(asked).toHaveLength(2);
});

test('[O8] a letter holds the input, who sent it, and the digest of its key where there is one', async () => {
  const { store, put } = mailStore([], undefined);
  const body = { type: 'interrupted' } as const;
  await sendLetter(store, id, body, { by, key: 'k' });
  await sendLetter(store, id, body, { by, key: 'k', digest: 'd' });
  expect(put).toEqual([
    [id, { key: 'k', body: JSON.stringify({ body, by, reader: readerVersion }) }],
    [id, { key: 'k', body: JSON.stringify({ body, by, reader: readerVersion, digest: 'd' }) }],
  ]);
});

test('[P2] a silent owner is asked ten times; then the sender learns that its input is kept', async () => {
  const { store, asked, put } = mailStore([], undefined);
  let looked = 0;
  const place = {
    id,
    parts: {
      store: { ...store, journal: { keyed: async () => undefined } },
      sessions: {
        acquire: async () => ((looked += 1), { owner: { id: 'other' } }),
        live: () => undefined,
        look: async () => ({ id }),
      },
      interpreter: {},
      unique: () => 'unique',
    },
  } as unknown as HandlePlace;
  await expect(sendInput(place, { type: 'interrupt' }, { by })).rejects.toThrow(
    "Session ses_1: the process that owns it doesn't answer. The input is stored and will be processed; " +
      'send it again with the same key to get its result.',
  );
  expect([asked.length, looked, put.length]).toEqual([10, 11, 1]);
});

/** A journal whose reads wait for the test, and what its listener received. */
function remoteStore() {
  const clock = createFakeClock();
  const reads: { readonly after: number; readonly answer: PromiseWithResolvers<readonly Recorded[]> }[] = [];
  const published: string[] = [];
  let committed: (commit: { session: string }) => void = () => undefined;
  let progressed: (message: string) => void = () => undefined;
  const store = {
    journal: {
      async read(_session: string, { after }: { after: number }) {
        const answer = Promise.withResolvers<readonly Recorded[]>();
        reads.push({ after, answer });
        return { events: await answer.promise };
      },
      onCommit: (listener: typeof committed) => ((committed = listener), () => (committed = () => undefined)),
    },
    bus: {
      publish: (topic: string, message: string) => void published.push(`${topic} ${message}`),
      subscribe: (_topic: string, listener: typeof progressed) => (
        (progressed = listener),
        () => (progressed = () => undefined)
      ),
    },
  } as unknown as Store;
  const notices: unknown[] = [];
  const closing = new AbortController();
  const listen = () =>
    listenRemotely(store, id, {
      after: 3,
      tell: (update: Update) => void notices.push(update.type === 'event' ? update.recorded.seq : update),
      end: (why) => void notices.push(why.message),
      closing: closing.signal,
      clock,
    });
  const event = (seq: number): Recorded => ({ seq, at: 1, by: system, event: { type: 'session-closed' } });
  const answer = async (...seqs: readonly number[]) => {
    reads.at(-1)?.answer.resolve(seqs.map(event));
    await new Promise<void>((resolve) => setImmediate(resolve));
  };
  return {
    clock,
    reads: () => reads.map(({ after }) => after),
    fail: (error: Error) => reads.at(-1)?.answer.reject(error),
    published,
    notices,
    listen,
    answer,
    closing,
    commit: (session: string = id) => committed({ session }),
    progress: (message: string) => progressed(message),
  };
}

test('[O14][P5] a commit that comes while the journal is read is read after it, and none is read twice', async () => {
  const { listen, answer, commit, reads, notices } = remoteStore();
  listen();
  commit();
  commit();
  await answer(4);
  expect(reads()).toEqual([3, 4]);
  await answer(5, 6);
  expect(reads()).toEqual([3, 4]);
  commit('ses_other');
  expect(reads()).toEqual([3, 4]);
  commit();
  expect(reads()).toEqual([3, 4, 6]);
  await answer();
  expect(notices).toEqual([4, 5, 6]);
});

test('[P5] a listener announces itself, and again every two seconds while it listens', async () => {
  const { listen, clock, published, progress, notices } = remoteStore();
  const listener = listen();
  expect(published).toEqual(['join ses_1']);
  await clock.advance(1999);
  expect(published).toHaveLength(1);
  await clock.advance(2001);
  expect(published).toEqual(['join ses_1', 'watch ses_1', 'watch ses_1']);
  progress('{"type":"progress"}');
  listener.stop();
  progress('{"type":"progress"}');
  await clock.advance(10_000);
  expect(published).toHaveLength(3);
  expect(notices).toEqual([{ type: 'progress' }]);
});

test('[P5] nothing is reported after the listener has stopped, and a failure ends it once', async () => {
  const stopped = remoteStore();
  const listener = stopped.listen();
  stopped.commit();
  listener.stop();
  await stopped.answer(4);
  expect([stopped.notices, stopped.reads()]).toEqual([[], [3]]);
  const failing = remoteStore();
  failing.listen();
  failing.fail(new Error('the disk is gone'));
  await new Promise<void>((resolve) => setImmediate(resolve));
  failing.closing.abort();
  expect(failing.notices).toEqual(['the disk is gone']);
});

test('[P5] a process that closes ends its listeners, also one that begins too late', async () => {
  const { listen, closing, notices, published } = remoteStore();
  listen();
  closing.abort();
  listen();
  const message = 'Stopped following session ses_1: Rondo is closing in this process.';
  expect([notices, published]).toEqual([[message, message], ['join ses_1']]);
});
