import path from 'node:path';

import type { DirectoryEntry } from '../../src/views/directory.ts';
import { openPostgresStore } from '../../src/journal/postgres/postgres-store.ts';
import { openSqliteStore } from '../../src/journal/sqlite/sqlite-store.ts';
import { system } from '../../src/kernel/actor.ts';
import type { SessionId } from '../../src/kernel/ids.ts';
import type { Position } from '../../src/ports/lease.ts';
import { createScratchFolder } from '../harness/scratch-folder.ts';
import { eventsBefore, sessionCount, sessionName, type Appends } from './append-load.ts';

/** The stored record adds enough to be as long as the floor's. */
const event = `{"type":"custom","name":"bench","data":"${'x'.repeat(224)}"}`;

interface Head {
  readonly session: SessionId;
  position: Position;
  seq: number;
}

/** The journal port on SQLite, or on the store at an address: `inFlight` writers, each awaiting its append before the next. */
export async function measurePortAppends(given: {
  readonly inFlight: number;
  readonly runMs: number;
  /** Each append includes its directory entry, like a session's. */
  readonly withEntry: boolean;
  readonly address?: string;
}): Promise<Appends> {
  using folder = createScratchFolder();
  await using store = await (given.address === undefined
    ? openSqliteStore({ path: path.join(folder.path, 'rondo.db') })
    : openPostgresStore({ address: given.address }));
  const heads = Array.from({ length: sessionCount }, (_, index): Head => ({
    session: sessionName(index) as SessionId,
    position: store.leases.create(sessionName(index) as SessionId).position,
    seq: 0,
  }));

  async function append(head: Head, events: number): Promise<void> {
    const at = Date.now();
    const answer = await store.journal.append({
      session: head.session,
      position: head.position,
      expected: head.seq,
      records: Array.from({ length: events }, () => ({ at, by: system, events: [event] })),
      ...(given.withEntry && { projection: { entry: entryOf(head.session, at) } }),
    });
    if (answer.type !== 'appended') throw new Error(`An append was refused: ${JSON.stringify(answer)}`);
    head.seq = answer.seq;
    head.position = answer.position;
  }

  await Promise.all(heads.map((head) => append(head, eventsBefore)));
  let count = 0;
  const started = performance.now();
  const until = started + given.runMs;
  const write = async (writer: number) => {
    for (let at = writer; performance.now() < until; at += given.inFlight) {
      const head = heads[at % sessionCount];
      if (head === undefined) return;
      await append(head, 1);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: given.inFlight }, (_, writer) => write(writer)));
  return { perSecond: (count * 1000) / (performance.now() - started), count };
}

function entryOf(session: SessionId, at: number): DirectoryEntry {
  return {
    session,
    createdAt: at,
    updatedAt: at,
    title: 'What is the weather in Paris today?',
    agent: 'bench',
    mode: 'interactive',
    cwd: '/',
    state: 'running',
    questions: 0,
    queued: 0,
    turns: 1,
    inputTokens: 100,
    outputTokens: 40,
    cost: 0,
    costIsKnown: true,
  };
}
