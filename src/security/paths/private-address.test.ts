import { expect, test } from 'vitest';

import { isPrivateAddress, isPrivateHost } from './private-address.ts';

test.for([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.255.255',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1%eth0',
  'fd00::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:0:10.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:0001::',
  'not an address',
])('C47: %s is private', (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

test.for(['93.184.216.34', '8.8.8.8', '172.32.0.1', '2606:2800:220:1::1', '::ffff:8.8.8.8'])(
  'C47: %s is public',
  (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  },
);

test('C47: hosts that name this machine or a local network', () => {
  const hosts = [
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    'printer.local',
    'metadata.google.internal',
    'intranet',
    '[::1]',
  ];
  expect(hosts.filter((host) => !isPrivateHost(host))).toEqual([]);
  expect(['example.org', 'localhost.example.org', '[2606:2800:220:1::1]'].filter(isPrivateHost)).toEqual([]);
});
