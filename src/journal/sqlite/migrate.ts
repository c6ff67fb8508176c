/**
 * Migrates a database to the newest schema in one transaction. It refuses databases of other programs and newer
 * schemas, unless the newer schema allows this version (see `upkeep-schema.ts`).
 */
import { Fault } from '../../kernel/fault.ts';
import type { Driver } from './driver.ts';
import { schemaSteps, type SchemaStep } from './schema.ts';

/** "rond": marks the file as ours. */
const applicationId = 0x726f6e64;

export function migrate(db: Driver, path: string, steps: readonly SchemaStep[] = schemaSteps): void {
  const isNewest = versionOf(db, path, steps.length) === steps.length;
  // Outside the transaction, as SQLite requires for the journal mode. A file whose shrinking was killed has no log
  // (`shrink-store.ts`).
  if (!isNewest || db.get<{ journal_mode: string }>('PRAGMA journal_mode')?.journal_mode !== 'wal') {
    db.exec('PRAGMA journal_mode = WAL');
  }
  if (isNewest) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have been first.
    for (const [index, step] of [...steps.entries()].slice(versionOf(db, path, steps.length))) {
      if (typeof step === 'string') db.exec(step);
      else step(db, { version: index + 1, path });
    }
    db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${steps.length}`);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

function versionOf(db: Driver, path: string, current: number): number {
  const version = db.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
  const application = db.get<{ application_id: number }>('PRAGMA application_id')?.application_id ?? 0;
  const isEmpty = version === 0 && db.get('SELECT 1 FROM sqlite_schema LIMIT 1') === undefined;
  if (application !== applicationId && !(application === 0 && isEmpty)) {
    throw new Fault(
      'unreadable',
      `Can't open ${path}: it is a database of another program, not a Rondo store. Nothing was changed; give another path.`,
    );
  }
  if (version > current && leastSchema(db) > current) {
    throw new Fault(
      'unreadable',
      `Can't open ${path}: its schema has version ${version} and was made by a newer Rondo; this one knows versions up to ${current}. Nothing was changed; upgrade Rondo to open it.`,
    );
  }
  return Math.min(version, current);
}

/** The oldest schema whose Rondo may use this file, if stated. */
function leastSchema(db: Driver): number {
  const hasFacts = db.get(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'facts'`) !== undefined;
  const least = hasFacts
    ? db.get<{ value: number }>(`SELECT value FROM facts WHERE name = 'least_schema'`)
    : undefined;
  return least?.value ?? Infinity;
}
