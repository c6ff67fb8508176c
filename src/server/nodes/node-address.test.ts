import { expect, test } from 'vitest';

import { addressProblem } from './node-address.ts';

test.each([
  ['https://a.internal:4747', undefined],
  ['https://a.internal', undefined],
  ['http://127.0.0.1:4747', undefined],
  ['http://[::1]:4747/', undefined],
  ['http://localhost:1', undefined],
  [
    'http://10.0.0.3:4747',
    'http://10.0.0.3:4747 is reachable from the network without TLS; use https, or --insecure on a network that you trust',
  ],
  [
    'http://a.internal',
    'http://a.internal is reachable from the network without TLS; use https, or --insecure on a network that you trust',
  ],
  ['ftp://a.internal', "ftp://a.internal isn't an http or https address"],
  ['a.internal:4747', "a.internal:4747 isn't an http or https address"],
  ['https://a:b@c', 'https://a:b@c contains a password; nodes sign their requests'],
  ['https://a.internal/rondo', 'https://a.internal/rondo must not have a path'],
])('[C153] %s can be advertised, or not', (address, problem) => {
  expect(addressProblem(address, { isInsecure: false })).toBe(problem);
});

test('[C153] plain HTTP beyond loopback needs to be allowed', () => {
  expect(addressProblem('http://10.0.0.3:4747', { isInsecure: true })).toBeUndefined();
  expect(addressProblem('ftp://10.0.0.3', { isInsecure: true })).toBe(
    "ftp://10.0.0.3 isn't an http or https address",
  );
});
