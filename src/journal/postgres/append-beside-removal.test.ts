import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { noServer } from '../../../test/fixtures/postgres/server.ts';
import { hasServer } from '../../../test/fixtures/postgres/shared-server.ts';
import {
  openPostgresUnderTest,
  type PostgresUnderTest,
} from '../../../test/fixtures/postgres/store-under-test.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { Store } from '../../ports/store.ts';
import { directoryEntry, first, record, request, second } from '../../testing/contracts/journal-samples.ts';
import { openDatabase } from './database.ts';
import { postgresPlace } from './postgres-address.ts';

/** A transaction of another program, which stops appends in the middle until it is over. */
async function transaction({ address }: PostgresUnderTest, sql: (schema: string) => string) {
  const place = postgresPlace(address);
  const db = await openDatabase({ ...place, connections: 1 });
  const client = await db.connect();
  await client.query('BEGIN');
  await client.query(sql(`"${place.schema}"`));
  const waiting = 'SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))';
  let ending: Promise<void> | undefined;
  const over = () =>
    (ending ??= (async () => {
      await client.end();
      await db.close();
    })());
  return {
    async untilWaitedFor() {
      while ((await client.query(waiting)).rowCount === 0) await sleep(5);
    },
    over,
    [Symbol.asyncDispose]: over,
  };
}

async function create({ journal, leases }: Store, session: SessionId) {
  const { position } = leases.create(session);
  const answer = await journal.append(request(0, [record('a')], { session, position }));
  if (answer.type !== 'appended') throw new Error(`Unexpected: ${JSON.stringify(answer)}`);
  return { session, position: answer.position };
}

/** Another process takes the session over and removes it. */
async function takeAndRemove({ journal, leases, upkeep }: Store, session: SessionId): Promise<void> {
  const answer = await leases.claim(session);
  if (answer.type !== 'claimed') throw new Error(`Unexpected: ${JSON.stringify(answer)}`);
  const { epoch } = answer.claim;
  const seq = (await journal.head(session))?.seq ?? 0;
  expect(await upkeep.remove(session, { epoch, seq }, { family: [session] })).toBe('done');
}

const rows = async ({ run }: PostgresUnderTest, table: string) =>
  (
    await run(
      (s) => `SELECT count(*)::int AS of_nobody FROM ${s}.${table}
    WHERE session NOT IN (SELECT number FROM ${s}.sessions)`,
    )
  )[0];

describe.skipIf(!hasServer())(`an append beside the removal of its session ${hasServer() ? '' : noServer}`, () => {
  test('[O1] [O11] is refused and leaves nothing, with all its parts', async () => {
    await using under = await openPostgresUnderTest();
    const owner = under.store;
    await using other = await under.another();
    const { position } = await create(owner, first);
    const blob = await owner.blobs.put('content');
    await using sweep = await transaction(
      under,
      (s) => `SELECT 1 FROM ${s}.blobs WHERE hash = '${blob}' FOR UPDATE`,
    );
    const events = [JSON.stringify({ type: 'custom', name: 'b', data: { blob } })];
    const projection = { entry: directoryEntry(first), opened: [], closed: [] };
    const late = owner.journal.append(request(1, [{ ...record(), events }], { position, projection }));
    await sweep.untilWaitedFor();
    await under.lapse(owner);
    await takeAndRemove(other, first);
    await sweep.over();
    expect(await late).not.toMatchObject({ type: 'appended' });
    for (const table of ['records', 'directory', 'blob_references'])
      expect([table, await rows(under, table)]).toEqual([table, { of_nobody: 0 }]);
  });

  test('[O1] [O11] is refused and leaves nothing, together with those of other sessions', async () => {
    await using under = await openPostgresUnderTest();
    const owner = under.store;
    await using other = await under.another();
    const created = [await create(owner, first), await create(owner, second)];
    await using beside = await transaction(
      under,
      (s) => `INSERT INTO ${s}.records (session, position, last, checksum, body)
        SELECT session, position + 1, last, 0, '' FROM ${s}.records
        WHERE session = (SELECT number FROM ${s}.sessions WHERE id = '${first}')`,
    );
    const late = Promise.all(
      created.map(({ session, position }) => {
        const projection = { entry: directoryEntry(session), opened: [], closed: [] };
        return owner.journal.append(request(1, [record('b')], { session, position, projection }));
      }),
    );
    await beside.untilWaitedFor();
    await under.lapse(owner);
    await takeAndRemove(other, second);
    await beside.over();
    const [kept, gone] = await late;
    expect(kept).toMatchObject({ type: 'appended', seq: 2 });
    expect(gone).not.toMatchObject({ type: 'appended' });
    for (const table of ['records', 'directory'])
      expect([table, await rows(under, table)]).toEqual([table, { of_nobody: 0 }]);
  });
});
