import { createDecipheriv, createHmac, type ECDH } from 'node:crypto';

/** Decrypts a push message as the browser does that subscribed (RFC 8291). */
export function openPushMessage(body: Buffer, browser: ECDH, auth: Buffer): string {
  const theirs = browser.getPublicKey();
  const [salt, length] = [body.subarray(0, 16), body[20] ?? 0];
  const ours = body.subarray(21, 21 + length);
  const hkdf = (salted: Buffer, secret: Buffer, info: Buffer, size: number) => {
    const key = createHmac('sha256', salted).update(secret).digest();
    return createHmac('sha256', key)
      .update(Buffer.concat([info, Buffer.from([1])]))
      .digest()
      .subarray(0, size);
  };
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours]);
  const key = hkdf(auth, browser.computeSecret(ours), info, 32);
  const decipher = createDecipheriv(
    'aes-128-gcm',
    hkdf(salt, key, Buffer.from('Content-Encoding: aes128gcm\0'), 16),
    hkdf(salt, key, Buffer.from('Content-Encoding: nonce\0'), 12),
  );
  const sealed = body.subarray(21 + length);
  decipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]).toString();
}
