import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto';

import { expect, test } from 'vitest';

import { openPushMessage } from '../testing/open-push-message.ts';
import { authorization, encrypted, newVapidKeys } from './push-message.ts';
import { isPushEndpoint } from './push.ts';

test('[C148] only the browser that subscribed can read a message (RFC 8291)', () => {
  const browser = createECDH('prime256v1');
  const theirs = browser.generateKeys();
  const auth = randomBytes(16);
  const target = {
    endpoint: 'https://push.test/1',
    p256dh: theirs.toString('base64url'),
    auth: auth.toString('base64url'),
  };
  const body = encrypted('Deletes dist/old', target);
  expect(body.toString('latin1')).not.toContain('dist');
  expect(openPushMessage(body, browser, auth)).toBe('Deletes dist/old\u0002');
});

test('[C148] a request is signed for the push service it goes to (RFC 8292)', () => {
  const keys = newVapidKeys();
  const header = authorization(keys, 'https://push.test/some/path', 1_000_000);
  const [, head = '', claims = '', signature = '', key = ''] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header) ?? [];
  const { d: _, ...open } = keys.privateKey;
  const publicKey = createPublicKey({ key: open, format: 'jwk' });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  expect([isSigned, key]).toEqual([true, keys.publicKey]);
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
    aud: 'https://push.test',
    exp: 44_200,
    sub: 'mailto:push@rondo.invalid',
  });
});

test.each([
  ['https://push.test/1', true],
  ['http://127.0.0.1:9/x', true],
  ['http://10.0.0.1/x', false],
  ['file:///etc/passwd', false],
  ['nonsense', false],
])('[C148] %s as a push endpoint: %s', (endpoint, isFit) => {
  expect(isPushEndpoint(endpoint)).toBe(isFit);
});
