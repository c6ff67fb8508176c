import { expect, onTestFinished, test } from 'vitest';

import type { Commit } from '../../ports/journal.ts';
import type { Claim } from '../../ports/lease.ts';
import { first, record, request } from '../../testing/contracts/journal-samples.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import type { LocalBus } from '../local-bus.ts';
import { openDriver, type Driver } from './driver.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { createWakeUps } from './wake-ups.ts';

const silent = {
  subscribe: () => () => undefined,
  publish: () => undefined,
  start: () => Promise.resolve(),
  startSoon: () => undefined,
  peers: () => 0,
} as unknown as LocalBus;

test('[O14] the next look finds what a failed one missed: commits, letters and requests', async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  const path = folder.at('store.db');
  await using store = await openSqliteStore({ path });
  await using other = await openSqliteStore({ path });
  const answer = await store.leases.claim(first);
  const claim: Claim | undefined = answer.type === 'claimed' ? answer.claim : undefined;
  const db = openDriver(path, { busyTimeoutMs: 1000 });
  onTestFinished(() => db.close());
  let failures = 0;
  // Everything before the request can be read, and then the file can't.
  const failing: Driver = {
    ...db,
    all<Row>(sql: string, ...values: readonly (string | number | null)[]) {
      if (sql.includes('handovers') && failures > 0) {
        failures -= 1;
        throw new Error('disk I/O error');
      }
      return db.all<Row>(sql, ...values);
    },
  };
  const wakeUps = createWakeUps(failing, silent, { owner: () => store.leases.self.id });
  onTestFinished(() => wakeUps.close());
  // A letter is reported until it is settled.
  const heard = new Set<string>();
  wakeUps.setOwning(true);
  wakeUps.onCommit((commit: Commit) => heard.add(`commit ${commit.seq}`));
  wakeUps.onArrival((session) => heard.add(`letter for ${session}`));
  wakeUps.onHandOver((asked) => heard.add(`request for ${asked.session}`));
  await new Promise((resolve) => setImmediate(resolve));
  failures = 2;
  await store.journal.append(request(0, [record('a')], { ...(claim && { position: claim.position }) }));
  await other.inbox.put(first, { key: 'k', body: '{}' });
  await other.leases.requestHandOver(first, {});
  await expect.poll(() => [...heard]).toEqual(['commit 1', `letter for ${first}`, `request for ${first}`]);
  expect(failures).toBe(0);
});
