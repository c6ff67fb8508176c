import { Client } from 'pg';

import { eventsBefore, floorBody, sessionCount, type Appends } from '../appends/append-load.ts';

/**
 * Hand-written SQL with the store's guarantees: one statement for a group, each row at the position after the one it
 * follows, refused if another is there, synced before the answer.
 */
export async function measurePostgresFloor(given: {
  readonly address: string;
  readonly inGroup: number;
  readonly runMs: number;
}): Promise<Appends> {
  const client = new Client(given.address);
  await client.connect();
  await client.query(`DROP TABLE IF EXISTS floor; CREATE TABLE floor (
    session bigint NOT NULL, position bigint NOT NULL, body text NOT NULL, PRIMARY KEY (session, position))`);
  const seed =
    'INSERT INTO floor SELECT s, p, $1 FROM generate_series(1, $2::int) s, generate_series(1, $3::int) p';
  await client.query(seed, [floorBody, sessionCount, eventsBefore]);
  const positions = Array.from({ length: sessionCount }, () => eventsBefore);
  let count = 0;
  const started = performance.now();
  const until = started + given.runMs;
  for (let at = 0; performance.now() < until; at = (at + given.inGroup) % sessionCount) {
    const group = Array.from({ length: given.inGroup }, (_, index) => (at + index) % sessionCount);
    const { rowCount } = await client.query(append, [
      group.map((index) => index + 1),
      group.map((index) => positions[index]),
      group.map(() => floorBody),
    ]);
    if (rowCount !== given.inGroup) throw new Error(`Only ${rowCount} of ${given.inGroup} rows were appended.`);
    for (const index of group) positions[index] = (positions[index] ?? 0) + 1;
    count += given.inGroup;
  }
  const elapsed = performance.now() - started;
  await client.end();
  return { perSecond: (count * 1000) / elapsed, count };
}

const append = `
  INSERT INTO floor (session, position, body)
  SELECT s, p + 1, b FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS given(s, p, b)
  WHERE EXISTS (SELECT 1 FROM floor WHERE session = s AND position = p) ORDER BY s
  ON CONFLICT DO NOTHING`;
