// Maintenance of stored sessions, cut at every write. Afterwards a session exists completely or not at all, and
// repeating the work gives the same result as an undisturbed run.
import { expect, test } from 'vitest';

import { createMemoryStore } from '../../src/journal/memory-store.ts';
import type { Store } from '../../src/ports/store.ts';
import { Fault } from '../../src/kernel/fault.ts';
import type { SessionId } from '../../src/kernel/ids.ts';
import { createRondo } from '../../src/rondo.ts';
import { candidatesFor, retire } from '../../src/upkeep/retention.ts';
import { createFakeClock } from '../../src/testing/fake-clock.ts';
import { createFaultyStore, type Failure } from '../../src/testing/faulty-store.ts';
import { readWholeJournal } from '../../src/testing/journal-checks.ts';
import { testTool } from '../../src/testing/test-tool.ts';
import { testingAgent } from '../../src/testing/testing-agent.ts';
import { recordProof } from '../proof/proof-record.ts';
import { untilOver } from './until-over.ts';

const failures: readonly Failure[] = ['fail-before', 'fail-after', 'crash-before', 'crash-after'];
const tools = [testTool('look', () => 'seen '.repeat(2000))];
const rondoOn = (store: Store) => createRondo({ ...testingAgent({ tools }), store });

/** A bundle of a session with long texts, and the session as in its journal. */
async function original() {
  const store = createMemoryStore();
  const rondo = await rondoOn(store);
  const session = await rondo.sessions.create();
  for (const word of Array.from({ length: 120 }, (_, index) => `part ${index}`))
    await session.chat(`call look {"at":"${word}"}\nsay seen ${word}`);
  const { pieces } = await rondo.sessions.export(session.id);
  const texts: string[] = [];
  for await (const piece of pieces) texts.push(piece);
  const journal = await readWholeJournal(store.journal, session.id);
  await rondo.close();
  return { id: session.id, texts, events: journal.map(({ seq, event }) => ({ seq, event })) };
}

test('[P10] [C122] an import that is cut at any write leaves no partial session, and a retry completes it', async () => {
  const { id, texts, events } = await original();
  let cuts = 0;
  for (const failure of failures) {
    for (let at = 1; ; at += 1) {
      const seat = createMemoryStore();
      const faulty = createFaultyStore(seat, { at, failure });
      const cut = await rondoOn(faulty);
      const isCut = () => failure.startsWith('crash') && faulty.failed();
      await untilOver(
        cut.sessions.import(() => from(texts)),
        isCut,
      );
      if (!faulty.failed()) break;
      cuts += 1;
      const isCrash = failure.startsWith('crash');
      if (isCrash) seat.crash();
      // A process that lived tries again itself.
      const store = isCrash ? seat.another() : seat;
      await using again = isCrash ? await rondoOn(store) : cut;
      const listed = (await again.sessions.list()).entries.map(({ session }) => session);
      const whole = async (session: SessionId) =>
        (await readWholeJournal(store.journal, session)).map(({ seq, event }) => ({ seq, event }));
      for (const session of listed) {
        const all = await whole(session);
        expect([failure, at, all.slice(0, -1), all.at(-1)?.event.type]).toEqual([
          failure,
          at,
          events,
          'session-imported',
        ]);
      }
      const { sessions } = await again.sessions.import(() => from(texts));
      const [made] = sessions;
      expect([failure, at, made?.session === id]).toEqual([failure, at, listed.length === 0]);
      // The last event of a second import beside a complete first one states this.
      expect([failure, at, (await whole(made?.session ?? id)).slice(0, events.length)]).toEqual([
        failure,
        at,
        events.map((recorded) => renamed(recorded, id, made?.session ?? id)),
      ]);
    }
  }
  recordProof({ name: 'import cut at every write', runs: cuts, faults: { 'write cut': cuts } });
  // Records are written 200 at a time.
  expect(cuts).toBeGreaterThan(7);
});

test.each(['before', 'after'] as const)(
  '[C120] [C122] a removal that fails %s its write leaves all of a session or nothing, and once more it is gone',
  async (when) => {
    const store = createMemoryStore();
    const clock = createFakeClock({ now: Date.now() + 60_000 });
    const rondo = await rondoOn(store);
    const session = await rondo.sessions.create();
    await session.chat('say hello');
    await session.terminate('done');
    await session.close();
    const before = await readWholeJournal(store.journal, session.id);
    const failing: Store = {
      ...store,
      upkeep: {
        ...store.upkeep,
        async remove(...given) {
          if (when === 'after') await store.upkeep.remove(...given);
          throw new Fault('disk-full', 'The disk is full.');
        },
      },
    };
    const [candidate] = await candidatesFor({ store, clock }, {});
    if (candidate === undefined) throw new Error('nothing to remove');
    await expect(retire({ store: failing, clock }, candidate, { type: 'delete' })).rejects.toThrow(
      'The disk is full.',
    );
    expect(await readWholeJournal(store.journal, session.id)).toEqual(when === 'before' ? before : []);
    for (const left of await candidatesFor({ store, clock }, {})) {
      expect(await retire({ store, clock }, left, { type: 'delete' })).toMatchObject({ type: 'removed' });
    }
    expect((await rondo.sessions.list()).entries).toEqual([]);
    await rondo.close();
  },
);

async function* from(texts: readonly string[]) {
  yield* texts;
}

function renamed<Value>(value: Value, id: SessionId, to: SessionId): Value {
  return JSON.parse(JSON.stringify(value).replaceAll(id, to)) as Value;
}
