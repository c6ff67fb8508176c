/**
 * Who works in a place, across processes: numbered files, of which the highest counts.
 *
 * 1. If two processes claim at once, exactly one wins: a number is linked into place, never overwritten.
 * 2. A dead process holds nothing. A takeover doesn't delete the old file, so it can't delete a live one by
 *    mistake.
 * 3. A session that already holds the lease gets it again, in the same process or a later one.
 */
import { randomBytes } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A process, identified beyond reuse of its pid. */
interface Holder {
  readonly pid: number;
  readonly startedAt: string;
  readonly bootId: string;
  readonly host: string;
}

export interface Holders {
  readonly self: Holder;
  isDead(holder: Holder): boolean;
}

export interface Lease {
  readonly session: string;
  readonly holder: Holder;
  readonly at: number;
}

type Claimed =
  | { readonly type: 'claimed'; readonly previous?: Lease }
  | { readonly type: 'held'; readonly lease: Lease };

export async function claimLease(
  folder: string,
  wanted: { readonly session: string; readonly at: number },
  holders: Holders,
): Promise<Claimed> {
  await mkdir(folder, { recursive: true });
  for (;;) {
    const { number, lease } = await newest(folder);
    const isLiving = lease !== undefined && !holders.isDead(lease.holder);
    if (isLiving && lease.session !== wanted.session) return { type: 'held', lease };
    if (isLiving && isSame(lease.holder, holders.self)) return { type: 'claimed', previous: lease };
    // The same session lives in another process: the journal lets only one of them own it.
    if (await put(folder, number + 1, { ...wanted, holder: holders.self })) {
      if ((await newest(folder)).number !== number + 1) continue;
      await sweep(folder, number + 1);
      return { type: 'claimed', ...(lease !== undefined && { previous: lease }) };
    }
  }
}

/** The live holder, if any. */
export async function leaseOf(folder: string, holders: Holders): Promise<Lease | undefined> {
  const { lease } = await newest(folder);
  return lease === undefined || holders.isDead(lease.holder) ? undefined : lease;
}

/** Releases the lease if this session holds it in this process; `any` releases it from any holder. */
export async function releaseLease(
  folder: string,
  session: string,
  holders: Holders,
  from: 'mine' | 'any' = 'mine',
): Promise<boolean> {
  const { number, lease } = await newest(folder);
  if (lease === undefined) return false;
  const isMine = lease.session === session && isSame(lease.holder, holders.self);
  if (!isMine && from === 'mine') return false;
  const beside = path.join(folder, `.${randomBytes(6).toString('hex')}`);
  await writeFile(beside, RELEASED);
  await rename(beside, path.join(folder, String(number)));
  return true;
}

const RELEASED = 'released\n';

function isSame(one: Holder, other: Holder): boolean {
  return (
    one.pid === other.pid &&
    one.startedAt === other.startedAt &&
    one.bootId === other.bootId &&
    one.host === other.host
  );
}

async function newest(folder: string): Promise<{ readonly number: number; readonly lease?: Lease }> {
  const number = Math.max(0, ...(await numbersIn(folder)));
  if (number === 0) return { number };
  const text = await readFile(path.join(folder, String(number)), 'utf8').catch(() => RELEASED);
  if (text === RELEASED) return { number };
  return { number, lease: JSON.parse(text) as Lease };
}

/** False if another process was first. The file is complete before it gets its name. */
async function put(folder: string, number: number, lease: Lease): Promise<boolean> {
  const beside = path.join(folder, `.${randomBytes(6).toString('hex')}`);
  await writeFile(beside, JSON.stringify(lease), { flush: true });
  try {
    await link(beside, path.join(folder, String(number)));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(beside, { force: true });
  }
}

async function numbersIn(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

async function sweep(folder: string, below: number): Promise<void> {
  for (const number of await numbersIn(folder))
    if (number < below) await rm(path.join(folder, String(number)), { force: true });
}
