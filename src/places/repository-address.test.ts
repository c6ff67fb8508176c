import { expect, test } from 'vitest';

import { repositoryAddress } from './repository-address.ts';

test('[S13] a refusal names what the caller may write: local paths only on this machine', () => {
  const verdict = (given: string, caller: 'local' | 'remote') => {
    const address = repositoryAddress(given, caller);
    return address.type === 'refused' ? address.message : address.url;
  };
  expect([
    verdict('shop.git', 'local'),
    verdict('shop.git', 'remote'),
    verdict('/srv/shop.git', 'local'),
    verdict('/srv/shop.git', 'remote'),
    verdict('/srv/my shop.git', 'local'),
    verdict('my shop.git', 'remote'),
  ]).toEqual([
    'Can\'t clone "shop.git": only https, http, ssh and file addresses and absolute local paths are supported.',
    'Can\'t clone "shop.git": only https, http and ssh addresses are supported.',
    'file:///srv/shop.git',
    'A repository on the server’s disk can only be named on that machine.',
    'Invalid repository address "/srv/my shop.git". Use https://…, ssh://… or user@host:path. A local path must not contain spaces.',
    'Invalid repository address "my shop.git". Use https://…, ssh://… or user@host:path.',
  ]);
});
