// A separate process on a store: executes its parent's requests over IPC and reports notifications. With the
// argument `write` it writes to many sessions at once, as fast as it can, and notes `<session> <seq>` in the file
// `acks` for every acknowledged append. With `short` it appends a number of times to its own session, as a short
// command does, and closes.

import { openSync, writeSync } from 'node:fs';

import type { Journal } from '../../src/ports/journal.ts';
import type { Claim } from '../../src/ports/lease.ts';
import { openDriver } from '../../src/journal/sqlite/driver.ts';
import { openSqliteStore, type SqliteStore } from '../../src/journal/sqlite/sqlite-store.ts';
import type { SessionId } from '../../src/kernel/ids.ts';
import { directoryEntry, record } from '../../src/testing/contracts/journal-samples.ts';

const [path = '', work = 'serve', sessions = '0', place] = process.argv.slice(2);
const leaseMs = Number(process.env['RONDO_TEST_LEASE_MS'] ?? 15_000);
const store = await openSqliteStore({
  path,
  leaseMs,
  ...(work === 'serve' && place !== undefined && { socketFolder: place }),
});
// A file keeps written data when the process is killed; a pipe may be full.
const acks = work === 'write' ? openSync(place ?? '', 'a') : 1;
if (work === 'write') await Promise.all(Array.from({ length: Number(sessions) }, (_, index) => write(index)));
else if (work === 'short') await appendAndClose(Number(sessions));
else serve();

export interface Call {
  readonly id: number;
  readonly port: 'journal' | 'leases' | 'inbox' | 'bus' | 'events';
  readonly method: string;
  readonly given: readonly unknown[];
}

const claims = new Map<string, Claim>();

function serve(): void {
  const tell = (name: string) => (value: unknown) => process.send?.({ name, value, at: Date.now() });
  const { journal, leases, inbox, bus } = store;
  const listen: Readonly<Record<string, (topic: string) => unknown>> = {
    commit: () => journal.onCommit(tell('commit')),
    arrival: () => inbox.onArrival(tell('arrival')),
    'hand-over': () => leases.onHandOverRequested(tell('hand-over')),
    released: () => leases.onReleased(tell('released')),
    lost: () => leases.onLost(tell('lost')),
    topic: (topic) => bus.subscribe(topic, tell('topic')),
    // Stays in the middle of a transaction forever.
    lock: (file) => openDriver(file, { busyTimeoutMs: 1000 }).exec('BEGIN IMMEDIATE'),
  };
  process.on('message', (call: Call) => {
    void answer(call, listen).then((value) => process.send?.({ id: call.id, value: value ?? null }));
  });
  process.on('disconnect', () => process.exit());
  process.send?.({ name: 'ready', value: leases.self });
}

async function answer(
  { port, method, given }: Call,
  listen: Readonly<Record<string, (topic: string) => unknown>>,
): Promise<unknown> {
  if (port === 'events') {
    listen[method]?.(String(given[0]));
    return undefined;
  }
  // Claims have methods, which can't be sent in a message.
  if (port === 'leases' && method === 'claim') {
    const answer = await store.leases.claim(given[0] as SessionId);
    if (answer.type === 'claimed') claims.set(answer.claim.session, answer.claim);
    if (answer.type !== 'claimed') return answer;
    const { epoch, position, isUnclean, fences } = answer.claim;
    return { type: 'claimed', epoch, position, isUnclean, fences };
  }
  if (port === 'leases' && method === 'release') return claims.get(String(given[0]))?.release();
  const target = store[port] as unknown as Record<string, (...values: readonly unknown[]) => unknown>;
  return await target[method]?.(...given);
}

async function write(index: number): Promise<void> {
  const session = `ses_${index}` as SessionId;
  const { journal, leases } = store satisfies SqliteStore;
  const claim = await leases.claim(session);
  if (claim.type !== 'claimed') throw new Error(`${session} is held by ${claim.owner?.pid}`);
  for (let seq = (await journal.head(session))?.seq ?? 0; ;) seq = await appendOne(journal, claim.claim, seq);
}

async function appendAndClose(times: number): Promise<void> {
  const { session, position } = store.leases.create(`ses_${process.pid}` as SessionId);
  for (let expected = 0; expected < times; expected += 1) {
    const projection = { entry: directoryEntry(session, { updatedAt: Date.now(), turns: expected }) };
    const records = [record('x'.repeat(2000))];
    const answer = await store.journal.append({ session, position, expected, records, projection });
    if (answer.type !== 'appended') throw new Error(`${session} at ${expected}: ${JSON.stringify(answer)}`);
  }
  await store[Symbol.asyncDispose]();
}

/** Sizes differ, so that a kill hits every stage of a commit. */
async function appendOne(journal: Journal, { session, position }: Claim, expected: number): Promise<number> {
  const name = `${session} ${expected + 1} ${'x'.repeat((expected % 7) * 700)}`;
  const answer = await journal.append({ session, position, expected, records: [record(name)] });
  if (answer.type !== 'appended') throw new Error(`${session} at ${expected}: ${JSON.stringify(answer)}`);
  writeSync(acks, `${session} ${answer.seq}\n`);
  return answer.seq;
}
