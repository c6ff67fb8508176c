/**
 * Registered browsers. Cookies don't authorize: a browser sends them to every port of a machine, and a server on
 * another port could replay them. Instead, a browser holds a non-extractable key and signs the server's nonce.
 *
 * 1. A login code or token registers the key together with the exact origin of the page.
 * 2. A signed nonce yields a bearer token for ten minutes, which the page keeps in memory. A nonce works once.
 * 3. The server refuses a key that was registered for an origin it doesn't serve.
 * 4. A page that can't create keys (plain HTTP from another machine) gets one bearer for as long as it is open.
 */
import { createPublicKey, randomBytes, verify } from 'node:crypto';

import { optional } from '../kernel/optional.ts';
import { signedText } from '../protocol/device-login.ts';
import type { Role } from '../protocol/http-schema.ts';
import type { Identity } from './identity.ts';
import type { Seals } from './seals.ts';
import type { DeviceKey, Tokens } from './tokens.ts';

export interface Devices {
  register(wanted: NewDevice): Promise<{ readonly id: string }>;
  nonce(): string;
  /** Undefined if the key, the nonce or the signature is invalid. */
  bearer(claim: Claim): Promise<Bearer | undefined>;
  /** Issues a bearer to a page without a key. */
  passing(who: { readonly name: string; readonly role: Role }): Bearer;
  identify(secret: string): Promise<Identity | undefined>;
  /** True if the browser is still registered. */
  isKnown(id: string): Promise<boolean>;
}

interface NewDevice {
  readonly name: string;
  readonly role: Role;
  readonly key: DeviceKey;
  readonly origin: string;
  readonly browser: string;
}

interface Claim {
  readonly device: string;
  readonly nonce: string;
  /** Base64url of the signature's two numbers, as browsers produce it. */
  readonly signature: string;
}

interface Bearer {
  readonly bearer: string;
  readonly lifeMs: number;
  readonly name: string;
  readonly role: Role;
}

interface DevicesParts {
  readonly tokens: Pick<Tokens, 'issue' | 'find'>;
  /** True if this server serves pages of that origin. */
  readonly isOwnOrigin: (origin: string) => boolean;
  readonly seals: Seals;
}

const dayMs = 86_400_000;
const life = { deviceMs: 30 * dayMs, bearerMs: 600_000, passingMs: dayMs / 2, nonceMs: 60_000 };

/** As every secret of Rondo begins, so that scanners find it. */
const bearerPrefix = 'rondo_';

export function createDevices({ tokens, seals, isOwnOrigin }: DevicesParts): Devices {
  /** What a bearer carries. `device` is the one whose key obtained it, absent for a page without a key. */
  function bearerOf(who: Identity, lifeMs: number, device?: string): string {
    const held = { who, ...optional({ device }) };
    return `${bearerPrefix}${seals.seal('bearer', JSON.stringify(held), lifeMs)}`;
  }

  async function deviceOf(id: string) {
    const record = await tokens.find(id);
    return record?.device === undefined ? undefined : { ...record, device: record.device };
  }

  return {
    async register({ name, role, key, origin, browser }) {
      const device = { key, origin, browser };
      const { record } = await tokens.issue({ name, role, lifeMs: life.deviceMs, device });
      return { id: record.id };
    },
    nonce: () => seals.seal('nonce', '', life.nonceMs),
    async bearer({ device: id, nonce, signature }) {
      const record = await deviceOf(id);
      if (record === undefined || !isOwnOrigin(record.device.origin)) return undefined;
      if (!isSigned(record.device.key, signedText(record.device.origin, nonce), signature)) return undefined;
      if ((await seals.openOnce('nonce', nonce)) === undefined) return undefined;
      const { name, role } = record;
      const who: Identity = { role, actor: { type: 'person', name }, token: id };
      return { bearer: bearerOf(who, life.bearerMs, id), lifeMs: life.bearerMs, name, role };
    },
    passing({ name, role }) {
      const token = `page_${randomBytes(8).toString('hex')}`;
      const bearer = bearerOf({ role, actor: { type: 'person', name }, token }, life.passingMs);
      return { bearer, lifeMs: life.passingMs, name, role };
    },
    async identify(secret) {
      if (!secret.startsWith(bearerPrefix)) return undefined;
      const text = seals.open('bearer', secret.slice(bearerPrefix.length));
      if (text === undefined) return undefined;
      const held = JSON.parse(text) as { readonly who: Identity; readonly device?: string };
      if (held.device !== undefined && (await deviceOf(held.device)) === undefined) return undefined;
      return held.who;
    },
    isKnown: async (id) => (await deviceOf(id)) !== undefined,
  };
}

function isSigned(key: DeviceKey, text: string, signature: string): boolean {
  try {
    const publicKey = createPublicKey({ key: { ...key }, format: 'jwk' });
    const given = Buffer.from(signature, 'base64url');
    return verify('sha256', Buffer.from(text), { key: publicKey, dsaEncoding: 'ieee-p1363' }, given);
  } catch {
    return false;
  }
}
