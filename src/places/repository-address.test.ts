import { expect, test } from 'vitest';

import { repositoryAddress } from './repository-address.ts';

test('[S13] a refusal names what the caller may write: local paths only on this machine', () => {
  const told = (given: string, caller: 'local' | 'remote') => {
    const address = repositoryAddress(given, caller);
    return address.type === 'refused' ? address.message : address.url;
  };
  expect([
    told('shop.git', 'local'),
    told('shop.git', 'remote'),
    told('/srv/shop.git', 'local'),
    told('/srv/shop.git', 'remote'),
    told('/srv/my shop.git', 'local'),
    told('my shop.git', 'remote'),
  ]).toEqual([
    'Can\'t clone "shop.git": only https, http, ssh and file addresses and absolute local paths are supported.',
    'Can\'t clone "shop.git": only https, http and ssh addresses are supported.',
    'file:///srv/shop.git',
    'A repository on the server’s disk can only be named on that machine.',
    'Invalid repository address "/srv/my shop.git". Use https://…, ssh://… or user@host:path. A local path must not contain spaces.',
    'Invalid repository address "my shop.git". Use https://…, ssh://… or user@host:path.',
  ]);
});
