import { expect, test } from 'vitest';

import { repositoryAddress } from './repository-address.ts';

test.each([
  ['ssh::foo', 'only https'],
  ['file::x', 'only https'],
  ['https:/example.org/x', 'only https'],
  ['http::https://example.org/x', 'only https'],
  ['git@-oProxyCommand:x', 'only https'],
  ['host:--upload-pack=x', 'only https'],
  ['ssh://-oProxyCommand=x/y', 'only https'],
  ['https://secret\\@example.org/x', 'Invalid repository address "https://…@example.org/x"'],
  ['user:secret@example.org:x', '"…@example.org:x": only https'],
  ['user:se/cret@example.org:x', '"…@example.org:x": only https'],
  ['https://example.org/x.git?private_token=secret', 'The address of example.org/x.git has a part after "?"'],
  ['https://example.org/x.git#secret', 'has a part after "?" or "#"'],
])('[C154] [S13] %s is refused, and a secret in it is not shown', (given, message) => {
  const address = repositoryAddress(given, 'local');
  const shown = address.type === 'refused' ? address.message : address.url;
  expect(shown).toContain(message);
  expect(shown).not.toContain('secret');
});

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
