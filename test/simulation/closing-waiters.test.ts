// A process closes while everything that can wait in it waits, and reads of the store are on their way.
import { expect, test } from 'vitest';

import { createMemoryStore } from '../../src/journal/memory-store.ts';
import { createRondo } from '../../src/rondo.ts';
import type { Store } from '../../src/ports/store.ts';
import { createSeededRandom, type SeededRandom } from '../../src/testing/simulation-random.ts';
import { testTool } from '../../src/testing/test-tool.ts';
import { testingAgent } from '../../src/testing/testing-agent.ts';

const rounds = 30;

test('[P5] [C16] whatever waits when its process closes is answered once, and no rejection is left unhandled', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  try {
    const silent: string[] = [];
    for (let seed = 1; seed <= rounds; seed += 1)
      silent.push(...(await closeAmongWaiters(seed)).map((name) => `seed ${seed}: ${name}`));
    expect({ unhandled, silent }).toEqual({ unhandled: [], silent: [] });
  } finally {
    process.off('unhandledRejection', note);
  }
});

/** The names of the waiters that got no answer. */
async function closeAmongWaiters(seed: number): Promise<readonly string[]> {
  const random = createSeededRandom(seed);
  const seat = createMemoryStore();
  const options = { workers: { delegate: true }, tools: [testTool('look', async () => 'seen')] };
  const rondo = await createRondo(testingAgent({ ...options, store: slow(seat, random) }));
  const other = await createRondo(testingAgent({ ...options, store: slow(seat.another(), random) }));
  const waiting = new Set<string>();
  const waits = (name: string, work: () => Promise<unknown>) => {
    waiting.add(name);
    const over = () => void waiting.delete(name);
    void work().then(over, over);
  };

  const hung = await rondo.sessions.create();
  const asked = await rondo.sessions.create();
  const parent = await rondo.sessions.create();
  const worker = await rondo.workers.create('ada');
  const job = await worker.run('hang');
  await hung.persist();
  const there = await other.sessions.open(hung.id);
  const last = async (updates: AsyncIterable<unknown>) => {
    for await (const _ of updates);
  };
  waits('a chat', () => hung.chat('hang'));
  waits('a second chat', () => hung.chat('say later', { whenAsked: 'wait' }));
  waits('a chat that asks', () => asked.chat('call look {}', { whenAsked: 'wait' }));
  waits('a delegation', () => parent.chat('call delegate {"task":"hang"}', { whenAsked: 'wait' }));
  await turns(random);
  waits('the end of a turn', () => hung.wait({ whenAsked: 'wait' }));
  waits('a run', () => asked.run([{ type: 'chat', text: 'hang', delivery: 'queue' }], { whenAsked: 'wait' }));
  waits('a follower', () => last(hung.follow()));
  waits('a follower from the start', () => last(asked.follow({ after: 0 })));
  waits('a job', () => job.wait());
  waits('a continuation', () => job.onEnd(`key-${seed}`, () => undefined));
  waits('a rewind', () => asked.rewind({ to: 1 }));
  waits('a compaction', () => hung.compact());
  waits('a fork', () => hung.fork());
  waits('a chat from another process', () => there.chat('hang'));
  waits('the end of a turn in another process', () => there.wait({ whenAsked: 'wait' }));
  waits('a follower in another process', () => last(there.follow({ after: 0 })));
  for (let count = random.whole(12); count > 0; count -= 1) await turns(random);
  for (const closing of random.chance(0.5) ? [rondo, other] : [other, rondo]) {
    let isClosed = false;
    const closed = closing.close({ deadline: 0, endWithin: 200 }).then(() => (isClosed = true));
    // Some come late: what they wait for is being read while the process closes.
    for (let count = 1; !isClosed; count += 1) {
      waits(`job ${count}, late`, () => job.wait());
      waits(`end ${count}, late`, () => hung.wait({ whenAsked: 'wait' }));
      waits(`follower ${count}, late`, () => last(there.follow({ after: 0 })));
      await turns(random);
    }
    await closed;
  }
  // Letters of a closed process wait for a second for their answer.
  for (let left = 40; left > 0 && waiting.size > 0; left -= 1)
    await new Promise((resolve) => setTimeout(resolve, 100));
  return [...waiting];
}

async function late(answer: Promise<unknown>, random: SeededRandom): Promise<unknown> {
  await Promise.allSettled([answer]);
  await turns(random);
  return answer;
}

async function turns(random: SeededRandom): Promise<void> {
  for (let left = random.whole(4); left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Answers come a few turns of the event loop later. */
function slow(store: Store, random: SeededRandom): Store {
  const wrapped = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name, receiver) {
        const member: unknown = Reflect.get(target, name, receiver);
        if (typeof member !== 'function' || (typeof name === 'string' && name.startsWith('on'))) return member;
        return (...given: readonly unknown[]): unknown => {
          const answer: unknown = Reflect.apply(member, target, given);
          return answer instanceof Promise ? late(answer, random) : answer;
        };
      },
    });
  return {
    ...store,
    journal: wrapped(store.journal),
    leases: wrapped(store.leases),
    inbox: wrapped(store.inbox),
    jobs: wrapped(store.jobs),
    blobs: wrapped(store.blobs),
  };
}
