import { expect, expectTypeOf, test } from 'vitest';

import { optional } from './optional.ts';

test('leaves out undefined members and keeps every other value', () => {
  const members: { readonly title?: string; readonly limit: number | undefined; readonly parent: null } = {
    limit: undefined,
    parent: null,
  };
  expect(optional({ ...members, title: undefined, count: 0, text: '' })).toStrictEqual({
    parent: null,
    count: 0,
    text: '',
  });
  expectTypeOf(optional(members)).toEqualTypeOf<{
    readonly title?: string;
    readonly limit?: number;
    readonly parent?: null;
  }>();
});
