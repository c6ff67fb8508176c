/**
 * Registered browsers. Cookies don't authorize: a browser sends them to every port of a machine, and a server on
 * another port could replay them. Instead, a browser holds a non-extractable key and signs the server's nonce.
 *
 * 1. A login code or token registers the key together with the exact origin of the page.
 * 2. A signed nonce yields a bearer token for ten minutes, which the page keeps in memory. A nonce works once.
 * 3. The server refuses a key that was registered for an origin it doesn't serve.
 * 4. A page that can't create keys (plain HTTP from another machine) gets one bearer for as long as it is open.
 */
import { createHmac, createPublicKey, hash, randomBytes, timingSafeEqual, verify } from 'node:crypto';

import { signedText } from '../protocol/device-login.ts';
import type { Role } from '../protocol/http-schema.ts';
import type { Identity } from './identity.ts';
import { newSecret, type DeviceKey, type Tokens } from './tokens.ts';

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
}

interface Claim {
  readonly device: string;
  readonly nonce: string;
  /** Base64url of the signature's two numbers, as browsers produce it. */
  readonly signature: string;
}

export interface Bearer {
  readonly bearer: string;
  readonly lifeMs: number;
  readonly name: string;
  readonly role: Role;
}

export interface DevicesParts {
  readonly tokens: Pick<Tokens, 'issue' | 'find'>;
  /** True if this server serves pages of that origin. */
  readonly isOwnOrigin: (origin: string) => boolean;
  readonly now: () => number;
}

const dayMs = 86_400_000;
const life = { deviceMs: 30 * dayMs, bearerMs: 600_000, passingMs: dayMs / 2, nonceMs: 60_000 };
const mostBearers = 10_000;

interface Held {
  readonly who: Identity;
  readonly until: number;
  /** The device whose key obtained it. Absent for a page without a key. */
  readonly device?: string;
}

export function createDevices({ tokens, isOwnOrigin, now }: DevicesParts): Devices {
  const secretOfNonces = randomBytes(32);
  const used = new Map<string, number>();
  const bearers = new Map<string, Held>();

  function hold(held: Omit<Held, 'until'>, lifeMs: number): string {
    for (const [digest, { until }] of bearers) if (until <= now()) bearers.delete(digest);
    const oldest = bearers.keys().next().value;
    if (bearers.size >= mostBearers && oldest !== undefined) bearers.delete(oldest);
    const secret = newSecret();
    bearers.set(digestOf(secret), { ...held, until: now() + lifeMs });
    return secret;
  }

  function sealOf(text: string): string {
    return createHmac('sha256', secretOfNonces).update(text).digest('base64url');
  }

  /** True once per nonce, before it expires. */
  function spend(nonce: string): boolean {
    const [made = '', random = '', seal = ''] = nonce.split('.');
    const isOurs = isSame(seal, sealOf(`${made}.${random}`)) && Math.abs(now() - Number(made)) < life.nonceMs;
    for (const [old, at] of used) if (now() - at > life.nonceMs * 2) used.delete(old);
    if (!isOurs || used.has(nonce)) return false;
    used.set(nonce, now());
    return true;
  }

  async function deviceOf(id: string) {
    const record = await tokens.find(id);
    return record?.device === undefined ? undefined : { ...record, device: record.device };
  }

  return {
    async register({ name, role, key, origin }) {
      const { record } = await tokens.issue({ name, role, lifeMs: life.deviceMs, device: { key, origin } });
      return { id: record.id };
    },
    nonce() {
      const text = `${now()}.${randomBytes(18).toString('base64url')}`;
      return `${text}.${sealOf(text)}`;
    },
    async bearer({ device: id, nonce, signature }) {
      const record = await deviceOf(id);
      if (record === undefined || !isOwnOrigin(record.device.origin)) return undefined;
      if (!isSigned(record.device.key, signedText(record.device.origin, nonce), signature)) return undefined;
      if (!spend(nonce)) return undefined;
      const { name, role } = record;
      const who: Identity = { role, actor: { type: 'person', name }, token: id };
      return { bearer: hold({ who, device: id }, life.bearerMs), lifeMs: life.bearerMs, name, role };
    },
    passing({ name, role }) {
      const token = `page_${randomBytes(8).toString('hex')}`;
      const bearer = hold({ who: { role, actor: { type: 'person', name }, token } }, life.passingMs);
      return { bearer, lifeMs: life.passingMs, name, role };
    },
    async identify(secret) {
      const held = bearers.get(digestOf(secret));
      if (held === undefined || held.until <= now()) return undefined;
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

function digestOf(secret: string): string {
  return hash('sha256', secret, 'hex');
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
