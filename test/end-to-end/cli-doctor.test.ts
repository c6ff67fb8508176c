// Doctor and repair through the real binary, on stores that were really damaged.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';

import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { createCliPlace, type CliPlace } from './cli-process.ts';

interface Doctor {
  readonly healthy: boolean;
  readonly findings: readonly {
    readonly what: string;
    readonly health: string;
    readonly found: string;
    readonly repaired?: readonly string[];
  }[];
}

const storeOf = (place: CliPlace) => path.join(place.home, '.rondo', 'rondo.db');
const finding = (doctor: unknown, what: string) => (doctor as Doctor).findings.find((one) => one.what === what);

async function sessionIn(place: CliPlace, prompt: string): Promise<string> {
  const { out } = await place.rondo('run', '--agent', 'testing', prompt, '--json');
  return (JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as { session: string }).session;
}

const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

test.skipIf(!canMount)('doctor reports a full disk, with what to do about it', async () => {
  await using place = await createCliPlace();
  await sessionIn(place, 'say first');
  const home = path.join(place.home, '.rondo');
  const fill = `mkdir full && mount -t tmpfs -o size=2m tmpfs full && cp ${home}/rondo.db full && dd if=/dev/zero of=full/filler bs=1k 2>/dev/null`;
  const command = `${fill}; exec ${place.command} doctor --store sqlite:full/rondo.db`;
  const { status, stdout } = spawnSync('unshare', ['-rm', 'sh', '-c', command], {
    cwd: place.project,
    env: { PATH: process.env['PATH'], RONDO_HOME: home, OLLAMA_HOST: '127.0.0.1:9', NO_COLOR: '1' },
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(place.masked(stdout).replaceAll(/\d+ kB/g, 'N kB')).toContain(
    `✗ space          the disk is full: N kB free in ~/project/full; Rondo can't write sessions
                 free some space there; \`rondo prune --older-than 30d\` lists old sessions to remove
`,
  );
});

test('a damaged record and a wrong list are found, repaired with --repair, and the session continues', async () => {
  await using place = await createCliPlace();
  const damaged = await sessionIn(place, 'say first');
  await place.rondo('run', '--session', damaged, 'say second');
  const listed = await sessionIn(place, 'say listed');
  const db = new Database(storeOf(place));
  const last = db
    .prepare('SELECT max(first) AS first FROM records WHERE session = (SELECT number FROM sessions WHERE id = ?)')
    .get(damaged) as { first: number };
  db.prepare(
    'UPDATE records SET checksum = checksum + 1 WHERE first = ? AND session = (SELECT number FROM sessions WHERE id = ?)',
  ).run(last.first, damaged);
  db.prepare('DELETE FROM directory WHERE id = ?').run(listed);
  db.close();

  const before = await place.json('doctor');
  expect(finding(before, 'sessions')).toMatchObject({ health: 'broken' });
  expect(finding(before, 'sessions')?.found).toContain(`${damaged}: damaged at event ${last.first}`);
  expect(finding(before, 'sessions')?.found).toContain(`${listed}: listed`);
  expect((await place.rondo('doctor')).code).toBe(1);

  const repaired = await place.json('doctor', '--repair');
  expect((repaired as Doctor).healthy).toBe(true);
  expect(finding(repaired, 'sessions')?.repaired).toEqual(
    expect.arrayContaining([
      expect.stringMatching(new RegExp(`^${damaged}: events ${last.first} to \\d+ were set aside`)),
      `${listed}: rebuilt its list entry from the journal`,
    ]),
  );
  expect((await place.rondo('doctor')).code).toBe(0);
  expect((await place.rondo('ls')).out).toContain(listed);
  expect(await place.rondo('replay', listed)).toMatchObject({ code: 0, err: '' });
  expect(await place.rondo('run', '--session', damaged, 'say third')).toMatchObject({
    code: 0,
    out: expect.stringContaining('third') as string,
  });
});

test('a database that was cut off is read out into a new one, and the old one is kept', async () => {
  await using place = await createCliPlace();
  const session = await sessionIn(place, `say ${'many words '.repeat(200)}`);
  for (let turn = 0; turn < 4; turn += 1) {
    await place.rondo('run', '--session', session, `say ${'other words '.repeat(200)}`);
  }
  const { size } = await stat(storeOf(place));
  {
    await using handle = await open(storeOf(place), 'r+');
    await handle.truncate(size - 8192);
  }
  const broken = await place.json('doctor');
  expect(finding(broken, 'store')).toMatchObject({ health: 'broken' });
  const repaired = (await place.json('doctor', '--repair')) as Doctor;
  expect(finding(repaired, 'store')?.repaired?.[0]).toMatch(
    /records of \d+ sessions were read out of it.*is kept as/,
  );
  expect(repaired.healthy).toBe(true);
  expect((await readdir(path.dirname(storeOf(place)))).some((name) => name.startsWith('rondo.db.damaged-'))).toBe(
    true,
  );
  expect((await place.rondo('ls')).out).toContain(session);
  expect(await place.rondo('run', '--session', session, 'say after')).toMatchObject({ code: 0 });
});

test('the sessions and children of a killed process are found; --repair ends the children', async () => {
  await using place = await createCliPlace();
  const running = place.start(['run', '--agent', 'testing', 'hang', '--json']);
  await running.saw('"model-call-intended"');
  const [, session = ''] = /"session": "(ses_\w+)"/.exec((await place.rondo('ls', '--json')).out) ?? [];
  expect(finding(await place.json('doctor'), 'leases')?.found).toBe('1 other process holds 1 session');
  running.child.kill('SIGKILL');
  await running.ended;
  const left = spawn('sleep', ['300'], { env: { ...process.env, RONDO_SESSION: session }, stdio: 'ignore' });
  const ended = once(left, 'exit');
  await using _ = { [Symbol.asyncDispose]: async () => void left.kill('SIGKILL') };
  const before = await place.json('doctor');
  expect(finding(before, 'leases')).toMatchObject({
    health: 'good',
    found: `0 other processes hold 0 sessions; process ${running.child.pid} died with 1 session, free to take over`,
  });
  expect(finding(before, 'processes')).toMatchObject({
    health: 'missing',
    found: `left running by ${session}: ${left.pid}`,
  });
  const after = await place.json('doctor', '--repair');
  expect(finding(after, 'processes')?.health).toBe('good');
  await ended;
});
