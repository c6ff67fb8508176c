import { expect, test } from 'vitest';

import { guard, type RequestOrigin } from './guard.ts';

const options = {
  hosts: ['127.0.0.1:4747', 'localhost:4747', 'rondo.example'],
  origins: ['https://app.example'],
  scheme: 'http',
} as const;
const plain: RequestOrigin = {
  method: 'POST',
  path: '/api/v1/sessions',
  host: '127.0.0.1:4747',
  origin: undefined,
  fetchSite: undefined,
  fetchMode: undefined,
};
const passes = (changes: Partial<RequestOrigin>) => guard({ ...plain, ...changes }, options) === undefined;

test('accepts a request for a known host name, with or without a browser', () => {
  expect([
    passes({}),
    passes({ host: 'localhost:4747' }),
    passes({ host: 'Rondo.Example:443' }),
    passes({ origin: 'http://127.0.0.1:4747', fetchSite: 'same-origin' }),
    passes({ origin: 'https://app.example', fetchSite: 'cross-site' }),
  ]).toEqual([true, true, true, true, true]);
});

test('another name (DNS rebinding), another origin and another site are turned away', () => {
  expect([
    passes({ host: undefined }),
    passes({ host: 'evil.example:4747' }),
    passes({ host: '127.0.0.1:9999' }),
    passes({ origin: 'http://evil.example' }),
    passes({ origin: 'null' }),
    passes({ origin: 'http://localhost:4747' }),
    passes({ fetchSite: 'cross-site' }),
    passes({ fetchSite: 'same-site' }),
  ]).toEqual([false, false, false, false, false, false, false, false]);
});

test('a link from another site may lead to the page and to nothing else', () => {
  const visit = { method: 'GET', fetchSite: 'cross-site', fetchMode: 'navigate' };
  expect([passes({ ...visit, path: '/' }), passes({ ...visit, path: '/api/v1/sessions' })]).toEqual([true, false]);
});
