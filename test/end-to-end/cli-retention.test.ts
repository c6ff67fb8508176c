// Old sessions archived and restored, found by their text, and replayed from their journal.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { createCliPlace, type CliPlace } from './cli-process.ts';

async function sessionIn(place: CliPlace, prompt: string): Promise<string> {
  const { out } = await place.rondo('run', '--agent', 'testing', prompt, '--json');
  return (JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as { session: string }).session;
}

test('[C120] [C122] prune shows what would go, archives it, keeps what is open; import brings it back', async () => {
  await using place = await createCliPlace();
  const idle = await sessionIn(place, 'say the tulips are red');
  const asked = await sessionIn(place, 'call shell {"command":"touch a"}');
  const before = await place.rondo('show', idle, '--events');

  expect(await place.rondo('prune')).toMatchObject({ code: 2, out: '' });
  expect(await place.rondo('prune', '--older-than', 'soon')).toMatchObject({ code: 2, out: '' });
  expect((await place.rondo('prune', '--older-than', '1d')).out).toBe('');
  expect(await place.json('prune', '--older-than', '0d')).toMatchObject({
    dryRun: true,
    sessions: [{ session: idle, became: 'would go' }],
  });
  const archived = (await place.json('prune', '--older-than', '0d', '--archive')) as object;
  const file = path.join(place.home, '.rondo', 'archive', `${idle}.rondo`);
  expect(archived).toMatchObject({ dryRun: false, sessions: [{ session: idle, became: 'gone', archived: file }] });
  expect(await readdir(path.dirname(file))).toEqual([`${idle}.rondo`]);
  const listed = (await place.rondo('ls')).out;
  expect([listed.includes(idle), listed.includes(asked)]).toEqual([false, true]);
  expect((await place.rondo('ls', '--search', 'tulips')).out).toBe('');

  expect(await place.rondo('import', file)).toMatchObject({ code: 0, out: `${idle}\n` });
  // Its history is unchanged, and one event records where it came from.
  const { out: again } = await place.rondo('show', idle, '--events');
  expect(again.startsWith(before.out)).toBe(true);
  expect(again.slice(before.out.length)).toMatch(/^7\t\S+\timport\tsession-imported\t[^\n]*\n$/);
  const found = (await place.json('ls', '--search', 'TULIP', '--sizes')) as object;
  expect(found).toMatchObject({
    sessions: [{ session: idle, excerpt: 'the tulips are red', bytes: expect.any(Number) as number }],
  });
});

test("[C122] the store's file shrinks if nothing else has it open; otherwise prune explains why not", async () => {
  await using place = await createCliPlace();
  const file = path.join(place.home, '.rondo', 'rondo.db');
  await sessionIn(place, 'say the tulips are red');
  const other = new Database(file);
  // As much free space as many sessions would leave.
  other.exec('CREATE TABLE filler (content); INSERT INTO filler VALUES (zeroblob(4000000)); DROP TABLE filler');
  other.pragma('wal_checkpoint(TRUNCATE)');
  const { size } = await stat(file);
  const beside = await place.rondo('prune', '--state', 'idle', '--delete');
  expect(beside.err).toMatch(
    /^1 session and 0 blobs removed, .*\n[\d.]+ MB of the store are free for new sessions\. /,
  );
  expect((await stat(file)).size).toBeGreaterThanOrEqual(size);
  other.close();
  const alone = (await place.json('prune', '--state', 'idle', '--delete')) as { store: { bytes: number } };
  expect(alone).toMatchObject({ sessions: [], store: { type: 'shrunk' } });
  expect(alone.store.bytes).toBeGreaterThan(2_000_000);
  expect((await stat(file)).size).toBeLessThan(size / 4);
  await sessionIn(place, 'say still here');
  expect((await place.rondo('ls')).out).toContain('still here');
});

test('[C124] replay decides a session again, from the store and from a bundle, and names what differs', async () => {
  await using place = await createCliPlace();
  const session = await sessionIn(place, 'call list {"path":"."}\nsay listed');
  const { code, out, err } = await place.rondo('replay', session, '--step');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(place.masked(out)).toBe(`1         session-requested → session-created  [idle]
2-4       prompt-received → prompt-received, turn-started, model-call-intended  [running]
5-6       model-settled → model-settled, tool-run-intended  [running]
7-8       tool-settled → tool-settled, model-call-intended  [running]
9-10      model-settled → model-settled, turn-ended  [idle]
ses_X: 10 events in 5 steps, 5 decided again with the same result
state at 10: idle, as lists have it
`);
  expect(await place.json('replay', session, '--until', '6')).toMatchObject({
    events: 6,
    problems: [],
    state: { seq: 6 },
  });
  const file = path.join(place.home, 'theirs.rondo');
  await place.rondo('export', session, '-o', file);
  expect(await place.rondo('replay', file)).toMatchObject({ code: 0, err: '' });
  await writeFile(file, (await readFile(file, 'utf8')).replace('listed', 'listened'));
  expect(await place.rondo('replay', file)).toMatchObject({
    code: 1,
    err: expect.stringContaining('integrity hash') as string,
  });

  const db = new Database(path.join(place.home, '.rondo', 'rondo.db'));
  db.prepare(`UPDATE directory SET entry = replace(entry, '"turns":1', '"turns":7')`).run();
  db.close();
  expect(await place.rondo('replay', session)).toMatchObject({
    code: 1,
    err: 'rondo replay: the session index differs from the journal; rondo doctor --repair rebuilds it\n',
  });
});
