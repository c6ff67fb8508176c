import { columnsOf, tableShapes, type CopiedTable, type TableShape } from './copied-tables.ts';

/** How an engine writes what both understand. */
export interface Dialect {
  /** A table with its schema. */
  readonly table: (name: string) => string;
  /** A text column, compared bytewise. */
  readonly bytewise: (column: string) => string;
  readonly parameter: (index: number) => string;
  /** The column that orders workers. */
  readonly workerPlace: string;
}

/** `after`: the parameters are the key of a row, then a limit. Otherwise only a limit. */
export function selectRows(dialect: Dialect, table: CopiedTable, from: 'start' | 'after' | 'end'): string {
  const shape: TableShape = tableShapes[table];
  const source = (column: string) => sourceOf(dialect, table, column);
  const order = shape.key.map((column) =>
    isNumber(table, column) ? source(column) : dialect.bytewise(source(column)),
  );
  const where = [
    ...(table === 'records' ? ['t.first IS NOT NULL', 't.first > 0'] : []),
    ...(table === 'workers' && dialect.workerPlace === 't.place' ? ['NOT t.dropped'] : []),
    ...(from === 'after'
      ? [`(${order.join(', ')}) > (${order.map((_, index) => dialect.parameter(index)).join(', ')})`]
      : []),
  ];
  const join = shape.scoped === true ? `JOIN ${dialect.table('sessions')} s ON s.number = t.session` : '';
  const direction = from === 'end' ? ' DESC' : '';
  return `SELECT ${columnsOf(table)
    .map((column) => `${source(column)} AS "${column}"`)
    .join(', ')}
    FROM ${dialect.table(table)} t ${join} ${where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`}
    ORDER BY ${order.map((one) => `${one}${direction}`).join(', ')}
    LIMIT ${dialect.parameter(from === 'after' ? order.length : 0)}`;
}

function isNumber(table: CopiedTable, column: string): boolean {
  return (table === 'inbox' && column === 'id') || column === 'first' || column === 'place' || column === 'number';
}

function sourceOf(dialect: Dialect, table: CopiedTable, column: string): string {
  const shape: TableShape = tableShapes[table];
  if (shape.scoped === true && column === 'session') return 's.id';
  if (table === 'workers' && column === 'place') return dialect.workerPlace;
  // An owner that is still there is dead: its session must be cleaned up, and work in flight needs a new owner.
  if (table === 'sessions' && column === 'unclean') return 'CASE WHEN t.owner IS NULL THEN t.unclean ELSE 1 END';
  if (table === 'sessions' && column === 'left_open') {
    const inFlight = `(SELECT d.in_flight FROM ${dialect.table('directory')} d WHERE d.session = t.number)`;
    return `CASE WHEN t.owner IS NULL THEN t.left_open ELSE coalesce(${inFlight}, 0) END`;
  }
  return `t.${column}`;
}
