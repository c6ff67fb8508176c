/**
 * Copies a whole store into an empty one.
 *
 * 1. It refuses while a process uses either store, another copy included. From its start on, neither can be opened: the
 *    source counts as moved, the target as incomplete. So two stores never run.
 * 2. Pages are small transactions in the order of their keys. A stopped copy continues after the last row.
 * 3. At the end every row and every blob is compared. Only then the target can be opened.
 */
import { createHash } from 'node:crypto';

import { Fault } from '../../kernel/fault.ts';
import { columnsOf, copiedTables, type CopiedRow, type CopiedTable, type CopySide } from './copied-tables.ts';

const rowsAtOnce = 200;

export interface CopyCounts {
  readonly sessions: number;
  readonly records: number;
  readonly blobs: number;
}

/** `check` looks at the complete target before it can be opened. */
export async function copyStore(
  from: CopySide,
  to: CopySide,
  check: (target: CopySide) => Promise<void>,
): Promise<CopyCounts> {
  await enter(from, to);
  await refuseUnlessFree(from, to);
  // In this order: killed in between, the source still opens, and the same command continues.
  await to.setState('copying');
  await from.setState('moved');
  // A process that was just opening one saw the old state.
  await refuseUnlessQuiet(from, to);
  let blobs = 0;
  for await (const { hash } of from.blobs.list()) {
    const content = await from.blobs.bytes(hash);
    // A damaged blob stays missing there as it is here.
    if (content === undefined) continue;
    await to.blobs.put(content);
    blobs += 1;
  }
  for (const table of copiedTables) await copyTable(from, to, table);
  const counts: Partial<Record<CopiedTable, number>> = {};
  for (const table of copiedTables) counts[table] = await compare(from, to, table);
  await check(to);
  await to.setState('ready');
  return { sessions: counts.sessions ?? 0, records: counts.records ?? 0, blobs };
}

/** The target stays incomplete and can't be opened. */
export async function abandonCopy(from: CopySide, to: CopySide): Promise<void> {
  await refuseUnlessUnfinished(from, to);
  await enter(from, to);
  await refuseUnlessUnfinished(from, to);
  await from.setState('ready');
}

async function refuseUnlessUnfinished(from: CopySide, to: CopySide): Promise<void> {
  if ((await to.state()) === 'copying' && (await from.state()) === 'moved') return;
  throw new Fault('conflict', `There is no unfinished copy from ${from.name} to ${to.name}. Nothing was changed.`);
}

/** Names this process in both stores, then looks for others: of two concurrent copies at most one continues. */
async function enter(from: CopySide, to: CopySide): Promise<void> {
  await from.enter();
  await to.enter();
  try {
    await refuseUnlessQuiet(from, to);
  } catch (error) {
    await Promise.all([from.leave(), to.leave()]);
    throw error;
  }
}

async function refuseUnlessQuiet(from: CopySide, to: CopySide): Promise<void> {
  for (const side of [from, to]) {
    const [one] = await side.living();
    if (one === undefined) continue;
    throw new Fault(
      'busy',
      `Can't copy ${from.name}: ${one} uses ${side.name}. Stop it, then run the same command again.`,
    );
  }
}

async function refuseUnlessFree(from: CopySide, to: CopySide): Promise<void> {
  const [source, target] = [await from.state(), await to.state()];
  // A copy that was stopped continues.
  if (target === 'copying' && source === 'moved') return;
  const isEmpty =
    (await to.page('sessions', undefined, 1)).length === 0 && (await to.page('jobs', undefined, 1)).length === 0;
  if (source === 'moved' && target === 'ready' && !isEmpty) {
    throw new Fault(
      'conflict',
      `Copying ${from.name}: it was moved already. If ${to.name} is its copy, open that one. Nothing was changed.`,
    );
  }
  if (!isEmpty || target === 'moved') {
    throw new Fault(
      'conflict',
      `Can't copy ${from.name}: ${to.name} already has content. Nothing was changed; name an empty store.`,
    );
  }
  if (source !== 'ready') {
    throw new Fault(
      'conflict',
      `Can't copy ${from.name}: it was moved, or is itself an incomplete copy. Nothing was changed.`,
    );
  }
}

async function copyTable(from: CopySide, to: CopySide, table: CopiedTable): Promise<void> {
  let last = await to.last(table);
  for (;;) {
    const page = await from.page(table, last, rowsAtOnce);
    await to.put(table, page);
    last = page.at(-1);
    if (last === undefined || page.length < rowsAtOnce) return;
  }
}

/** Returns the number of rows. */
async function compare(from: CopySide, to: CopySide, table: CopiedTable): Promise<number> {
  const [ours, theirs] = [await digestOf(from, table), await digestOf(to, table)];
  if (ours.digest === theirs.digest) return ours.count;
  throw new Fault(
    'damaged',
    `Can't copy ${from.name}: ${table} differs in ${to.name} (${ours.count} rows, ${theirs.count} there). ` +
      'The source is unchanged. Empty the target and copy again.',
  );
}

async function digestOf(
  side: CopySide,
  table: CopiedTable,
): Promise<{ readonly digest: string; readonly count: number }> {
  const hash = createHash('sha256');
  let count = 0;
  let last: CopiedRow | undefined;
  for (;;) {
    const page = await side.page(table, last, rowsAtOnce);
    for (const row of page) hash.update(JSON.stringify(columnsOf(table).map((column) => comparable(row[column]))));
    count += page.length;
    last = page.at(-1);
    if (last === undefined || page.length < rowsAtOnce) return { digest: hash.digest('hex'), count };
  }
}

/** SQLite's text can't hold a lone surrogate, and has the replacement character in its place. */
function comparable(value: CopiedRow[string] | undefined): string | number | null {
  return typeof value === 'string' ? value.toWellFormed() : (value ?? null);
}
