import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { expect, it } from 'vitest';

import { ownIdentity } from '../process-identity.ts';
import { openDriver, type Driver } from './driver.ts';
import { migrate } from './migrate.ts';
import { schemaSteps } from './schema.ts';

const first = 'CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT) STRICT';
const second = `ALTER TABLE people ADD COLUMN born INTEGER; UPDATE people SET born = 1900`;

it('makes a new database with all steps, and leaves a current one alone [P11]', () => {
  withDatabase((db, file) => {
    migrate(db, file);
    expect(versionOf(db)).toBe(schemaSteps.length);
    db.run(`INSERT INTO sessions (id, least_seq, epoch) VALUES ('ses_1', 0, 1)`);
    migrate(db, file);
    expect(db.all('SELECT id FROM sessions')).toEqual([{ id: 'ses_1' }]);
  });
});

it('brings an older schema to the newest with its rows [P11]', () => {
  withDatabase((db, file) => {
    migrate(db, file, [first]);
    db.run(`INSERT INTO people (name) VALUES ('Ada')`);
    migrate(db, file, [first, second]);
    expect(versionOf(db)).toBe(2);
    expect(db.all('SELECT * FROM people')).toEqual([{ id: 1, name: 'Ada', born: 1900 }]);
  });
});

it('brings forks of an older schema to their column, and keeps its tables of jobs and search [P11]', () => {
  withDatabase((db, file) => {
    const entry = JSON.stringify({ title: 'a fork', origin: { session: 'ses_1', at: 3 } });
    migrate(db, file, schemaSteps.slice(0, 5));
    db.exec(
      `${jobsWithLeases}; INSERT INTO jobs (place, worker, state, lease_until) VALUES (7, 'wrk_a', 'running', 9)`,
    );
    for (const [number, body] of [
      [1, '{}'],
      [2, entry],
    ] as const) {
      db.run(
        `INSERT INTO directory (session, id, updated_at, state, agent, title, entry) VALUES (?, ?, 0, 'idle', 'a', '', ?)`,
        number,
        `ses_${number}`,
        body,
      );
    }
    migrate(db, file);
    expect(db.all('SELECT id, origin FROM directory')).toEqual([
      { id: 'ses_1', origin: null },
      { id: 'ses_2', origin: 'ses_1' },
    ]);
    expect(db.all('SELECT * FROM jobs')).toEqual([
      { place: 7, worker: 'wrk_a', state: 'running', provider: null, owner: null, ended_at: null },
    ]);
  });
});

it('leaves an older schema as it was when a step fails', () => {
  withDatabase((db, file) => {
    migrate(db, file, [first]);
    expect(() => migrate(db, file, [first, second, 'CREATE NONSENSE'])).toThrow('syntax error');
    expect(versionOf(db)).toBe(1);
    migrate(db, file, [first, second]);
    expect(versionOf(db)).toBe(2);
  });
});

it('refuses a schema that is newer than it knows', () => {
  withDatabase((db, file) => {
    migrate(db, file, [first, second]);
    expect(() => migrate(db, file, [first])).toThrow(
      expect.objectContaining({
        code: 'unreadable',
        message:
          `Can't open ${file}: its schema has version 2 and was made by a newer Rondo; this one knows versions up to 1. ` +
          'Nothing was changed; upgrade Rondo to open it.',
      }),
    );
  });
});

it('works on a newer schema that allows this version, without changing it [P11]', () => {
  withDatabase((db, file) => {
    migrate(db, file, [...schemaSteps, 'CREATE TABLE added_later (a)']);
    migrate(db, file);
    expect(versionOf(db)).toBe(schemaSteps.length + 1);
    db.run(`UPDATE facts SET value = ${schemaSteps.length + 1} WHERE name = 'least_schema'`);
    expect(() => migrate(db, file)).toThrow('upgrade Rondo');
  });
});

it('refuses a database of another program', () => {
  withDatabase((db, file) => {
    db.exec('CREATE TABLE theirs (a)');
    expect(() => migrate(db, file)).toThrow(
      expect.objectContaining({
        code: 'unreadable',
        message: expect.stringContaining('another program') as string,
      }),
    );
    expect(db.all('SELECT name FROM sqlite_schema')).toEqual([{ name: 'theirs' }]);
  });
});

/** The columns of the first job tables that the step touches. */
const jobsWithLeases = `
  CREATE TABLE jobs (place INTEGER PRIMARY KEY, worker TEXT, state TEXT, provider TEXT, owner TEXT,
    lease_until INTEGER, ended_at INTEGER);
  CREATE INDEX jobs_under_way ON jobs (worker, state, provider, owner, lease_until)
    WHERE state IN ('running', 'waiting', 'stalled')`;

function versionOf(db: Driver): number | undefined {
  return db.get<{ user_version: number }>('PRAGMA user_version')?.user_version;
}

function withDatabase(work: (db: Driver, file: string) => void): void {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'rondo-migrate-'));
  const file = path.join(folder, 'store.db');
  const db = openDriver(file, { busyTimeoutMs: 100 });
  try {
    work(db, file);
  } finally {
    db.close();
    rmSync(folder, { recursive: true });
  }
}

it('[O1][P11] refuses to change who owns what while a process of an older Rondo lives, and upgrades when it is gone', () => {
  withDatabase((db, file) => {
    migrate(db, file, schemaSteps.slice(0, 6));
    const { pid, startedAt, bootId, host } = ownIdentity();
    const insert = `
      INSERT INTO processes (id, pid, started_at, boot_id, host, expires_at, taken) VALUES (?, ?, ?, ?, ?, ?, 0)`;
    db.run(insert, 'old', pid, startedAt, bootId, host, 0);
    expect(() => migrate(db, file)).toThrow(
      `process ${pid} on ${host} is still working on it with an older Rondo`,
    );
    expect(versionOf(db)).toBe(6);
    db.run('UPDATE processes SET started_at = ?', 'long ago');
    db.run(insert, 'elsewhere', 1, 'then', 'another boot', 'another-host', Date.now() + 60_000);
    expect(() => migrate(db, file)).toThrow('process 1 on another-host');
    db.run(`UPDATE processes SET expires_at = 1 WHERE id = 'elsewhere'`);
    db.run(`INSERT INTO sessions (id, least_seq, epoch, owner) VALUES ('ses_1', 0, 3, 1)`);
    migrate(db, file);
    expect(versionOf(db)).toBe(schemaSteps.length);
    expect(db.all('SELECT id, epoch, owner, unclean, fences FROM sessions')).toEqual([
      { id: 'ses_1', epoch: 3, owner: 1, unclean: 0, fences: 0 },
    ]);
  });
});
