/** SQLite in eight methods, so that `node:sqlite` can replace the package behind it. */
import Database from 'better-sqlite3';

import { nativeBinding } from './native-binding.ts';

export interface Driver {
  /** Runs a script of any number of statements. */
  exec(script: string): void;
  /** How many rows changed. */
  run(sql: string, ...values: readonly SqlValue[]): number;
  /** The new row's id. */
  insert(sql: string, ...values: readonly SqlValue[]): number;
  /** The first row's first column, where it is a number: for what every transaction asks. */
  number(sql: string, ...values: readonly SqlValue[]): number | undefined;
  /** The first row. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a row is what its query says, and only the caller knows
  get<Row>(sql: string, ...values: readonly SqlValue[]): Row | undefined;
  all<Row>(sql: string, ...values: readonly SqlValue[]): Row[];
  /** The first column of each row, for lists long enough that an object a row is felt. */
  texts(sql: string, ...values: readonly SqlValue[]): readonly string[];
  close(): void;
}

export type SqlValue = string | number | null;

/** `source` is a file, or the content of one, which is then kept in memory. Statements are prepared once: `sql` must be a text that comes again, never one with values in it. */
export function openDriver(source: string | Buffer, options: { readonly busyTimeoutMs: number }): Driver {
  const binding = nativeBinding();
  const database = new Database(source, {
    timeout: options.busyTimeoutMs,
    ...(binding !== undefined && { nativeBinding: binding }),
  });
  const prepared = new Map<string, Database.Statement>();
  const statement = (sql: string): Database.Statement => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const created = database.prepare(sql);
    prepared.set(sql, created);
    return created;
  };
  const lists = new Map<string, Database.Statement>();
  const list = (sql: string): Database.Statement => {
    const known = lists.get(sql);
    if (known !== undefined) return known;
    const created = database.prepare(sql).pluck();
    lists.set(sql, created);
    return created;
  };
  return {
    exec: (script) => void database.exec(script),
    run: (sql, ...values) => statement(sql).run(...values).changes,
    insert: (sql, ...values) => Number(statement(sql).run(...values).lastInsertRowid),
    number: (sql, ...values) => list(sql).get(...values) as never,
    get: (sql, ...values) => statement(sql).get(...values) as never,
    all: (sql, ...values) => statement(sql).all(...values) as never[],
    texts: (sql, ...values) => list(sql).all(...values) as never[],
    close: () => void database.close(),
  };
}
