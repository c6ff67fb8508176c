import path from 'node:path';

import { startCpuMeter } from '../harness/cpu-meter.ts';
import { createScratchFolder } from '../harness/scratch-folder.ts';
import { openFloorStore } from '../workload/floor-store.ts';
import { eventsBefore, floorBody, sessionCount, sessionName, type Appends } from './append-load.ts';

/** Raw SQLite in the best layout: groups of `inGroup` events, one per session, with one commit each. */
export async function measureFloorAppends(given: {
  readonly inGroup: number;
  readonly runMs: number;
}): Promise<Appends> {
  using folder = createScratchFolder();
  using store = openFloorStore(path.join(folder.path, 'floor.db'), 'appended');
  const names = Array.from({ length: sessionCount }, (_, index) => sessionName(index));
  const heads = names.map(() => 0);
  let next = 0;

  function appendGroup(size: number): void {
    store.begin();
    for (let index = 0; index < size; index += 1) {
      const session = next % sessionCount;
      next += 1;
      const seq = (heads[session] ?? 0) + 1;
      heads[session] = seq;
      store.append(names[session] ?? '', seq, floorBody);
    }
    store.commit();
  }

  appendGroup(sessionCount * eventsBefore);
  // Empties the log but keeps its file, as in a used store: growing a file makes fsync slower.
  store.database.pragma('wal_checkpoint(RESTART)');
  const meter = startCpuMeter();
  const until = performance.now() + given.runMs;
  let count = 0;
  while (performance.now() < until) {
    appendGroup(given.inGroup);
    count += given.inGroup;
  }
  return meter.per(count);
}
