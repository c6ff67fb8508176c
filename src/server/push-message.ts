/**
 * One message for a push service, encrypted for the browser that subscribed (RFC 8291) and signed with the server's
 * key (RFC 8292). The push service sees neither content nor question.
 */
import {
  createCipheriv,
  createECDH,
  createHmac,
  createPrivateKey,
  randomBytes,
  sign,
  type JsonWebKey,
} from 'node:crypto';

export interface VapidKeys {
  /** The raw public key in base64url, as browsers take it. */
  readonly publicKey: string;
  readonly privateKey: JsonWebKey;
}

export interface PushTarget {
  readonly endpoint: string;
  /** The browser's public key and secret, in base64url. */
  readonly p256dh: string;
  readonly auth: string;
}

export function newVapidKeys(): VapidKeys {
  const pair = createECDH('prime256v1');
  const raw = pair.generateKeys();
  const [x, y, d] = [raw.subarray(1, 33), raw.subarray(33), pair.getPrivateKey()].map((part) =>
    part.toString('base64url'),
  );
  return {
    publicKey: raw.toString('base64url'),
    privateKey: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '', d: d ?? '' },
  };
}

/** The body of the request: `aes128gcm` in one record. */
export function encrypted(text: string, { p256dh, auth }: PushTarget): Buffer {
  const theirs = Buffer.from(p256dh, 'base64url');
  const pair = createECDH('prime256v1');
  const ours = pair.generateKeys();
  const shared = pair.computeSecret(theirs);
  const salt = randomBytes(16);
  const key = derived(
    Buffer.from(auth, 'base64url'),
    shared,
    Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours]),
    32,
  );
  const content = derived(salt, key, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derived(salt, key, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createCipheriv('aes-128-gcm', content, nonce);
  // The delimiter of the last record.
  const body = Buffer.concat([
    cipher.update(Buffer.concat([Buffer.from(text), Buffer.from([2])])),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(4096);
  return Buffer.concat([salt, size, Buffer.from([ours.length]), ours, body]);
}

const lifeSeconds = 12 * 3600;

export function authorization({ publicKey, privateKey }: VapidKeys, endpoint: string, now: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(now / 1000) + lifeSeconds,
    sub: 'mailto:push@rondo.invalid',
  };
  const text = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`;
  const key = createPrivateKey({ key: privateKey, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  return `vapid t=${text}.${signature}, k=${publicKey}`;
}

/** HKDF with one block of output. */
function derived(salt: Buffer, secret: Buffer, info: Buffer, length: number): Buffer {
  const key = createHmac('sha256', salt).update(secret).digest();
  return createHmac('sha256', key)
    .update(info)
    .update(Buffer.from([1]))
    .digest()
    .subarray(0, length);
}
