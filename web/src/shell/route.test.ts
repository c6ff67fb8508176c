import { expect, test } from 'vitest';

import { codeIn } from '../connection/sign-in.ts';
import { ranked } from './fuzzy-match.ts';
import { pathOf, routeOf } from './route.ts';

test.for([
  '/',
  '/s/ses_1',
  '/inbox',
  '/workers',
  '/s/ses_1/changes',
  '/s/ses_1/nothing',
  '/inbox/q_1',
  '/settings/devices',
  '/p/a%20shop',
  '/p/100%25',
  '/usage',
  '/audit',
  '/nowhere/at/all',
])('%s is the address of one screen', (path) => {
  expect(pathOf(routeOf(path))).toBe(path);
});

test('the code is found in the address and nowhere else', () => {
  expect([codeIn('#token=abc-1'), codeIn('#other=1'), codeIn('')]).toEqual(['abc-1', undefined, undefined]);
});

test('lists better matches first', () => {
  const names = ['Unusual things', 'Go to usage', 'Usage of this session', 'Undo some age', 'Inbox'];
  expect(ranked(names, 'usage', (name) => name)).toEqual([
    'Usage of this session',
    'Go to usage',
    'Undo some age',
  ]);
});
