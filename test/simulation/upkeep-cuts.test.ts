// Export, archive and repair cut at every call of the store. Afterwards a file exists completely or not at all, a
// session is in its old or its new state, and repeating the work gives the same result as an undisturbed run.
import { hash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';

import { expect, test } from 'vitest';

import { createMemoryStore, type MemoryStore } from '../../src/journal/memory-store.ts';
import type { Store } from '../../src/ports/store.ts';
import type { SessionId } from '../../src/kernel/ids.ts';
import { createRondo } from '../../src/rondo.ts';
import { createFakeClock } from '../../src/testing/fake-clock.ts';
import type { Failure } from '../../src/testing/faulty-store.ts';
import { readWholeJournal } from '../../src/testing/journal-checks.ts';
import { testTool } from '../../src/testing/test-tool.ts';
import { testingAgent } from '../../src/testing/testing-agent.ts';
import { stateVersion } from '../../src/session/read/load-session.ts';
import { examineSession, mendSession } from '../../src/upkeep/examine-session.ts';
import { exportSession } from '../../src/upkeep/export-session.ts';
import { archiveFile, candidatesFor, retire } from '../../src/upkeep/retention.ts';
import { writePieces } from '../../src/upkeep/write-pieces.ts';
import { recordProof } from '../proof/proof-record.ts';
import { createCutStore, type CutStore } from './cut-store.ts';
import { untilOver } from './until-over.ts';
import { timeAt } from '../../src/kernel/time.ts';

const failures: readonly Failure[] = ['fail-before', 'fail-after', 'crash-before', 'crash-after'];
const tools = [testTool('look', () => 'seen '.repeat(2000))];
const rondoOn = (store: Store) => createRondo({ ...testingAgent({ tools }), store });
/** Later than anything here, however long it takes. */
const clock = createFakeClock({ now: Date.now() + 86_400_000 });
const at = Date.UTC(2026, 0, 1);

/** A store with one idle session that has long texts. */
async function placeWithSession(): Promise<{ readonly seat: MemoryStore; readonly session: SessionId }> {
  const seat = createMemoryStore();
  const rondo = await rondoOn({ ...seat, [Symbol.asyncDispose]: () => Promise.resolve() });
  const session = await rondo.sessions.create();
  for (const word of ['one', 'two', 'three', 'four', 'five', 'six'])
    await session.chat(`call look {"at":"${word}"}\nsay seen ${word}`);
  await session.terminate('done');
  await rondo.close();
  return { seat, session: session.id };
}

interface Cutting {
  readonly seat: MemoryStore;
  readonly session: SessionId;
  /** Folder for files. */
  readonly folder: string;
  readonly where: readonly [Failure, number];
}

/** Does the work with each call cut in turn; after each cut another process checks. Returns the number of cuts. */
async function cutEverywhere(
  work: (store: CutStore, place: Cutting) => Promise<unknown>,
  look: (store: Store, place: Cutting) => Promise<void>,
  prepare: (seat: MemoryStore, session: SessionId) => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  let cuts = 0;
  for (const failure of failures) {
    for (let call = 1; ; call += 1) {
      using folder = mkdtempDisposableSync(path.join(os.tmpdir(), 'rondo-cuts-'));
      const { seat, session } = await placeWithSession();
      await prepare(seat, session);
      const place: Cutting = { seat, session, folder: folder.path, where: [failure, call] };
      const cut = createCutStore(seat, { at: call, failure });
      await untilOver(work(cut, place), () => failure.startsWith('crash') && cut.failed());
      if (!cut.failed()) break;
      cuts += 1;
      seat.crash();
      await look(seat.another(), place);
    }
  }
  return cuts;
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  return (await Array.fromAsync(pieces)).join('');
}

const wholeExport = async (store: Store, session: SessionId) =>
  textOf((await exportSession(store, session, { format: 'bundle', children: 'all', at })).pieces);

test('[P10] [C122] an export that is cut at any call leaves a whole file or none and the session as it was', async () => {
  async function exported(store: Store, { session, folder }: Cutting): Promise<void> {
    const { pieces } = await exportSession(store, session, { format: 'bundle', children: 'all', at });
    await writePieces(pieces, path.join(folder, 'session.rondo'));
  }
  const cuts = await cutEverywhere(exported, async (store, place) => {
    const file = path.join(place.folder, 'session.rondo');
    const whole = await wholeExport(store, place.session);
    const written = existsSync(file) ? readFileSync(file, 'utf8') : whole;
    expect([place.where, written]).toEqual([place.where, whole]);
    // A failed process cleans up; a killed one can't.
    const parts = place.where[0].startsWith('fail') ? readdirSync(place.folder) : [];
    expect([place.where, parts.filter((name) => name.includes('.part'))]).toEqual([place.where, []]);
    await exported(store, place);
    expect([place.where, readFileSync(file, 'utf8')]).toEqual([place.where, whole]);
  });
  recordProof({ name: 'export cut at every call', runs: cuts, faults: { 'call cut': cuts } });
  expect(cuts).toBeGreaterThan(15);
});

test('[P10] [C122] a file that is rewritten and cut at any piece is the old one or the new one, never part of it', async () => {
  using folder = mkdtempDisposableSync(path.join(os.tmpdir(), 'rondo-pieces-'));
  const { seat, session } = await placeWithSession();
  const { pieces } = await exportSession(seat, session, { format: 'bundle', children: 'all', at });
  const texts = await Array.fromAsync(pieces);
  const file = path.join(folder.path, 'session.rondo');
  let cuts = 0;
  for (const how of ['fails', 'hangs'] as const) {
    for (let piece = 0; piece <= texts.length; piece += 1) {
      writeFileSync(file, 'the old one');
      let isCut = false;
      async function* broken() {
        yield* texts.slice(0, piece);
        isCut = true;
        if (how === 'fails') throw new Error('the source is gone');
        await new Promise(() => {});
      }
      await untilOver(writePieces(broken(), file), () => how === 'hangs' && isCut);
      cuts += 1;
      expect([how, piece, readFileSync(file, 'utf8')]).toEqual([how, piece, 'the old one']);
    }
  }
  await writePieces(Readable.from(texts) as AsyncIterable<string>, file);
  expect(readFileSync(file, 'utf8')).toBe(texts.join(''));
  recordProof({ name: 'exported file cut at every piece', runs: cuts, faults: { 'write cut': cuts } });
  expect(cuts).toBeGreaterThan(60);
});

test('[P10] [C120] [C122] an archiving that is cut at any call loses nothing: the session is there, or its bundle is whole', async () => {
  const originals = new Map<SessionId, string>();
  async function archived(store: Store, { folder }: Cutting): Promise<void> {
    for (const candidate of await candidatesFor({ store, clock }, {}))
      await retire({ store, clock }, candidate, { type: 'archive', folder });
  }
  const cuts = await cutEverywhere(
    archived,
    async (store, place) => {
      const { session, folder, where } = place;
      const events = originals.get(session);
      const inStore = JSON.stringify(await readWholeJournal(store.journal, session));
      const file = archiveFile(folder, session);
      const isSafe = inStore === '[]' ? existsSync(file) : inStore === events;
      expect([where, isSafe]).toEqual([where, true]);
      await archived(store, place);
      expect([where, await store.upkeep.sessions()]).toEqual([where, []]);
      await using rondo = await rondoOn(store);
      await rondo.sessions.import(() => createReadStream(file, 'utf8'));
      const imported = await readWholeJournal(store.journal, session);
      expect([where, JSON.stringify(imported.slice(0, -1)), imported.at(-1)?.event.type]).toEqual([
        where,
        events,
        'session-imported',
      ]);
    },
    async (seat, session) => {
      originals.set(session, JSON.stringify(await readWholeJournal(seat.journal, session)));
    },
  );
  recordProof({ name: 'archive cut at every call', runs: cuts, faults: { 'call cut': cuts } });
  expect(cuts).toBeGreaterThan(40);
});

const harms: Readonly<Record<string, (seat: MemoryStore, session: SessionId) => Promise<void>>> = {
  async 'a damaged record'(seat, session) {
    const records = await seat.upkeep.records(session, { after: 0, limit: 100 });
    seat.damageRecord(session, records.at(-2)?.first ?? 0);
  },
  async 'a wrong snapshot'(seat, session) {
    const { seq = 0, epoch = 0 } = (await seat.journal.head(session)) ?? {};
    const { fold } = await examineSession(seat, session);
    const body = JSON.stringify({ ...fold.state, title: 'not this' });
    await seat.journal.saveSnapshot(session, { seq, version: stateVersion, body }, { epoch });
  },
  async 'a wrong listing'(seat, session) {
    const { seq = 0 } = (await seat.journal.head(session)) ?? {};
    await seat.upkeep.show(session, { questions: [], due: timeAt(5), inFlight: false }, { seq });
  },
};

async function repaired(store: Store, session: SessionId): Promise<readonly string[]> {
  const examined = await examineSession(store, session);
  const done: string[] = [];
  for (const problem of examined.problems) {
    await mendSession({ store, clock }, examined, problem);
    done.push(problem.type);
  }
  return done;
}

test.each(Object.entries(harms))(
  '[P10] [C122] a repair of %s that is cut at any call is done or not, and once more all is sound and nothing thrown away',
  async (name, harm) => {
    const expected = new Map<SessionId, string>();
    const cuts = await cutEverywhere(
      (store, { session }) => repaired(store, session),
      async (store, { session, where }) => {
        await repaired(store, session);
        await repaired(store, session);
        const { problems } = await examineSession(store, session);
        expect([where, problems]).toEqual([where, []]);
        expect([where, await contentOf(store, session)]).toEqual([where, expected.get(session)]);
        // Set-aside records are kept, and so are their blobs.
        expect([where, await sweptBlobs(store)]).toEqual([where, 0]);
      },
      async (seat, session) => {
        await harm(seat, session);
        expect((await examineSession(seat, session)).problems).not.toEqual([]);
        const undisturbed = await contentOfSound(seat, session);
        expected.set(session, undisturbed);
      },
    );
    recordProof({ name: `repair of ${name} cut at every call`, runs: cuts, faults: { 'call cut': cuts } });
    expect(cuts).toBeGreaterThan(10);
  },
);

/** Number of blobs deleted if nothing is put for two days. */
async function sweptBlobs({ upkeep }: Store): Promise<number> {
  const sweep = (days: number) =>
    upkeep.sweepBlobs({ now: Date.now() + days * 86_400_000, uptime: days * 86_400_000 });
  return (await sweep(0)).blobs + (await sweep(2)).blobs;
}

async function contentOf(store: Store, session: SessionId): Promise<string> {
  const { events } = await store.journal.read(session, { after: 0 });
  return JSON.stringify({
    events: hash('sha256', JSON.stringify(events)),
    shown: await store.upkeep.shown(session),
  });
}

/** The journal's content before the damage, and what lists should show of it. */
async function contentOfSound(store: Store, session: SessionId): Promise<string> {
  const { events } = await store.journal.read(session, { after: 0 });
  const { fold } = await examineSession(store, session);
  return JSON.stringify({ events: hash('sha256', JSON.stringify(events)), shown: fold.shown() });
}
