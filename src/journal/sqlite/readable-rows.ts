import type { Driver } from './driver.ts';

/** Consecutive lost rows before the rest of a table counts as lost. */
const mostLost = 20_000;
const lostBeforeStrides = 500;
const longStride = 50;
const rowsAtOnce = 200;

/** The readable rows of a table. With a numbered column it continues after unreadable ones. */
export function* readableRows<Row extends object>(db: Driver, table: string, numbered?: string): Generator<Row> {
  if (numbered === undefined) {
    yield* orUndefined(() => db.all<Row>(`SELECT * FROM ${table}`)) ?? [];
    return;
  }
  const numberOf = (row: Row) => (row as Readonly<Record<string, number>>)[numbered] ?? 0;
  let place = 0;
  for (;;) {
    const page = orUndefined(() =>
      db.all<Row>(`SELECT * FROM ${table} WHERE ${numbered} > ? ORDER BY ${numbered} LIMIT ?`, place, rowsAtOnce),
    );
    if (page !== undefined) {
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < rowsAtOnce) return;
      place = numberOf(last);
      continue;
    }
    // The next rows are unreadable: skip one by one, then in strides, until they can be read again.
    let lost = 0;
    let stride = 1;
    for (let next = place + 1; ; next += stride) {
      place = next;
      const row = orUndefined(() => db.get<Row>(`SELECT * FROM ${table} WHERE ${numbered} = ?`, next));
      if (row === undefined) {
        lost += stride;
        if (lost > mostLost) return;
        if (lost > lostBeforeStrides) stride = longStride;
      } else if (stride > 1) {
        // Some before it may be readable too.
        next -= stride;
        stride = 1;
        lost = 0;
      } else {
        yield row;
        lost = 0;
        if (next % rowsAtOnce === 0) break;
      }
    }
  }
}

export function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
