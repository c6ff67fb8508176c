/**
 * Access tokens. Only digests are stored, in one document of the store that all nodes and the command line share. The
 * owner's token is a file.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

import { fieldsOf } from '../kernel/json-object.ts';
import { optional } from '../kernel/optional.ts';
import { roles, type Role } from '../protocol/http-schema.ts';
import type { Identity } from './identity.ts';

export interface TokenRecord {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly kind: 'token' | 'device';
  /** Empty for a device: the server knows no secret of it. */
  readonly digest: string;
  readonly device?: {
    readonly key: DeviceKey;
    readonly origin: string;
    /** What its owner would call it. Absent in records of the first release. */
    readonly browser?: string;
  };
}

/** A browser's public key. */
export interface DeviceKey {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
}

/** A small private document, always read and written as a whole. */
export interface TokenFile {
  read(): Promise<unknown>;
  update(change: (value: unknown) => unknown): Promise<void>;
}

export interface Tokens {
  /** Returns the secret, which can't be retrieved later. */
  issue(wanted: NewToken): Promise<{ readonly secret: string; readonly record: TokenRecord }>;
  list(): Promise<readonly TokenRecord[]>;
  /** Undefined if no valid token has that id. */
  find(id: string): Promise<TokenRecord | undefined>;
  /** False if the id doesn't exist. */
  revoke(id: string): Promise<boolean>;
  identify(secret: string): Promise<Identity | undefined>;
}

interface NewToken {
  readonly name: string;
  readonly role: Role;
  readonly lifeMs?: number;
  readonly device?: TokenRecord['device'];
}

interface TokensParts {
  readonly file: TokenFile;
  /** The owner's token, as its file contains it. */
  readonly owner: string;
  readonly now: () => number;
}

const mostTokens = 1000;
/** How long the cached file is valid: a revoked token stops working after that. */
const cacheMs = 1000;
const expiredKeptMs = 30 * 86_400_000;

export function createTokens({ file, owner, now }: TokensParts): Tokens {
  const ownerDigest = digestOf(owner);
  let cached: { readonly at: number; readonly records: Promise<readonly TokenRecord[]> } | undefined;

  function records(): Promise<readonly TokenRecord[]> {
    // `Math.abs`: setting the clock back must not extend the cache.
    if (cached === undefined || Math.abs(now() - cached.at) >= cacheMs) {
      cached = { at: now(), records: file.read().then(recordsIn) };
      cached.records.catch(() => (cached = undefined));
    }
    return cached.records;
  }
  const isValidAt = (time: number, { expiresAt }: TokenRecord) => expiresAt === undefined || expiresAt > time;
  const isValid = (record: TokenRecord) => isValidAt(now(), record);
  /** Expired tokens are kept for a while, so that a wrong clock discards none. */
  const isWorthKeeping = (record: TokenRecord) => isValidAt(now() - expiredKeptMs, record);

  return {
    async issue({ name, role, lifeMs, device }) {
      const secret = newSecret();
      const createdAt = now();
      const record: TokenRecord = {
        id: `${device === undefined ? 'tok' : 'dev'}_${randomBytes(8).toString('hex')}`,
        name,
        role,
        kind: device === undefined ? 'token' : 'device',
        createdAt,
        ...(lifeMs !== undefined && { expiresAt: createdAt + lifeMs }),
        digest: device === undefined ? digestOf(secret) : '',
        ...optional({ device }),
      };
      await file.update((value) => ({
        ...(value as object | undefined),
        version: 1,
        tokens: [...recordsIn(value).filter(isWorthKeeping), record].slice(-mostTokens),
      }));
      cached = undefined;
      return { secret, record };
    },
    find: async (id) => (await records()).find((record) => record.id === id && isValid(record)),
    list: async () => (await file.read().then(recordsIn)).filter(isValid),
    async revoke(id) {
      let isFound = false;
      await file.update((value) => {
        const kept = recordsIn(value);
        isFound = kept.some((record) => record.id === id);
        return { ...(value as object | undefined), version: 1, tokens: kept.filter((record) => record.id !== id) };
      });
      cached = undefined;
      return isFound;
    },
    async identify(secret) {
      const digest = digestOf(secret);
      if (isSame(digest, ownerDigest)) {
        return { role: 'owner', actor: { type: 'person', name: 'owner' }, token: 'owner' };
      }
      const match = (await records()).find((record) => record.kind === 'token' && isSame(record.digest, digest));
      if (match === undefined || !isValid(match)) return undefined;
      return { role: match.role, actor: { type: 'person', name: match.name }, token: match.id };
    },
  };
}

export function newSecret(): string {
  return `rondo_${randomBytes(32).toString('base64url')}`;
}

function digestOf(secret: string): string {
  return hash('sha256', secret, 'hex');
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** Ignores malformed entries: they admit nobody. */
function recordsIn(value: unknown): readonly TokenRecord[] {
  const tokens = (value as { tokens?: unknown } | undefined)?.tokens;
  return Array.isArray(tokens) ? tokens.filter(isRecord) : [];
}

function isRecord(value: unknown): value is TokenRecord {
  const { id, name, role, digest, createdAt } = fieldsOf(value);
  const isText = [id, name, digest].every((text) => typeof text === 'string');
  return isText && typeof createdAt === 'number' && roles.some((one) => one === role);
}
