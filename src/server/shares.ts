/**
 * Share links: one session, read-only, redacted, until they expire or are revoked. Only digests are stored, in a
 * private file that the command line and a running server share.
 */
import { hash, randomBytes } from 'node:crypto';

import type { TokenFile } from './tokens.ts';

interface ShareRecord {
  readonly id: string;
  readonly session: string;
  readonly by: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly digest: string;
}

export interface Shares {
  /** Returns the secret of the link, which can't be retrieved later. */
  create(wanted: {
    readonly session: string;
    readonly by: string;
    readonly lifeMs: number;
  }): Promise<{ readonly secret: string; readonly record: ShareRecord }>;
  /** Links that still work, newest first. */
  list(session?: string): Promise<readonly ShareRecord[]>;
  /** False if the id doesn't exist. */
  revoke(id: string): Promise<boolean>;
  /** Undefined if the link is unknown, expired or revoked. */
  find(secret: string): Promise<ShareRecord | undefined>;
}

const most = 1000;

export function createShares(file: TokenFile, now: () => number): Shares {
  const valid = (value: unknown) => sharesIn(value).filter(({ expiresAt }) => expiresAt > now());
  return {
    async create({ session, by, lifeMs }) {
      const secret = randomBytes(24).toString('base64url');
      const createdAt = now();
      const record: ShareRecord = {
        id: `shr_${randomBytes(8).toString('hex')}`,
        session,
        by,
        createdAt,
        expiresAt: createdAt + lifeMs,
        digest: digestOf(secret),
      };
      await file.update((value) => ({ version: 1, shares: [...valid(value), record].slice(-most) }));
      return { secret, record };
    },
    async list(session) {
      const all = valid(await file.read());
      return all.filter((record) => session === undefined || record.session === session).toReversed();
    },
    async revoke(id) {
      let isFound = false;
      await file.update((value) => {
        const shares = valid(value);
        isFound = shares.some((record) => record.id === id);
        return { version: 1, shares: shares.filter((record) => record.id !== id) };
      });
      return isFound;
    },
    async find(secret) {
      const digest = digestOf(secret);
      return valid(await file.read()).find((record) => record.digest === digest);
    },
  };
}

/** A record without its digest. */
export function publicShare(record: ShareRecord): Omit<ShareRecord, 'digest'> {
  const { digest: _, ...rest } = record;
  return rest;
}

function digestOf(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** Ignores malformed entries: they open nothing. */
function sharesIn(value: unknown): readonly ShareRecord[] {
  const { shares } = (value ?? {}) as { readonly shares?: unknown };
  return Array.isArray(shares) ? shares.filter(isShare) : [];
}

function isShare(value: unknown): value is ShareRecord {
  const { id, session, digest, expiresAt } = (value ?? {}) as Partial<Record<keyof ShareRecord, unknown>>;
  return [id, session, digest].every((text) => typeof text === 'string') && typeof expiresAt === 'number';
}
