/** SQLite behind eight methods, so that `node:sqlite` can replace the package. */
import Database from 'better-sqlite3';

import { optional } from '../../kernel/optional.ts';
import { nativeBinding } from './native-binding.ts';

export interface Driver {
  /** Runs a script of any number of statements. */
  exec(script: string): void;
  /** Returns the number of changed rows. */
  run(sql: string, ...values: readonly SqlValue[]): number;
  /** Returns the new row's id. */
  insert(sql: string, ...values: readonly SqlValue[]): number;
  /** The first column of the first row as a number, for queries in every transaction. */
  number(sql: string, ...values: readonly SqlValue[]): number | undefined;
  /** The first row. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a row is what its query says, and only the caller knows
  get<Row>(sql: string, ...values: readonly SqlValue[]): Row | undefined;
  all<Row>(sql: string, ...values: readonly SqlValue[]): Row[];
  /** The first column of each row, for long lists where an object per row would cost. */
  texts(sql: string, ...values: readonly SqlValue[]): readonly string[];
  close(): void;
}

export type SqlValue = string | number | null;

/**
 * `source` is a file, or a file's content, which then stays in memory. Statements are prepared once, so `sql` must be
 * constant text without values.
 */
export function openDriver(source: string | Buffer, options: { readonly busyTimeoutMs: number }): Driver {
  const binding = nativeBinding();
  const database = new Database(source, {
    timeout: options.busyTimeoutMs,
    ...optional({ nativeBinding: binding }),
  });
  const prepared = new Map<string, Database.Statement>();
  const statement = (sql: string): Database.Statement => {
    const ready = prepared.get(sql);
    if (ready !== undefined) return ready;
    const created = database.prepare(sql);
    prepared.set(sql, created);
    return created;
  };
  const lists = new Map<string, Database.Statement>();
  const list = (sql: string): Database.Statement => {
    const ready = lists.get(sql);
    if (ready !== undefined) return ready;
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
