import path from 'node:path';

import { openNatsStore } from '../../src/journal/nats/nats-store.ts';
import { openPostgresStore } from '../../src/journal/postgres/postgres-store.ts';
import { openSqliteStore } from '../../src/journal/sqlite/sqlite-store.ts';
import { system } from '../../src/kernel/actor.ts';
import type { SessionId } from '../../src/kernel/ids.ts';
import type { Position } from '../../src/ports/lease.ts';
import type { Store } from '../../src/ports/store.ts';
import { startCpuMeter } from '../harness/cpu-meter.ts';
import { createScratchFolder } from '../harness/scratch-folder.ts';
import { eventsBefore, sessionCount, sessionName, writersRun, type Appends } from './append-load.ts';
import { entryOf } from './bench-entry.ts';

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
  readonly serverPid?: number;
}): Promise<Appends> {
  using folder = createScratchFolder();
  await using store = await openAt(given.address, path.join(folder.path, 'rondo.db'));
  const heads = Array.from({ length: sessionCount }, (_, index): Head => ({
    session: sessionName(index) as SessionId,
    position: store.leases.create(sessionName(index) as SessionId).position,
    seq: 0,
  }));

  async function append(head: Head): Promise<void> {
    const at = Date.now();
    const answer = await store.journal.append({
      session: head.session,
      position: head.position,
      expected: head.seq,
      records: [{ at, by: system, events: [event] }],
      ...(given.withEntry && { projection: { entry: entryOf(head.session, at) } }),
    });
    if (answer.type !== 'appended') throw new Error(`An append was refused: ${JSON.stringify(answer)}`);
    head.seq = answer.seq;
    head.position = answer.position;
  }

  for (let event = 0; event < eventsBefore; event += 1) await Promise.all(heads.map(append));
  const meter = startCpuMeter(given.serverPid);
  const until = performance.now() + given.runMs;
  return meter.per(await writersRun(heads, given.inFlight, () => performance.now() >= until, append));
}

function openAt(address: string | undefined, file: string): Promise<Store> {
  if (address === undefined) return openSqliteStore({ path: file });
  return address.startsWith('nats:') ? openNatsStore({ address }) : openPostgresStore({ address });
}
