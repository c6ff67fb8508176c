import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { mergeConfigs, type ConfigBody } from '../words/config-atom.ts';
import { buildConfig } from './config-factory.ts';
import { shippedConfigs } from './shipped-configs.ts';

const body: fc.Arbitrary<ConfigBody> = fc
  .record({
    tools: fc.uniqueArray(fc.constantFrom('read', 'write', 'edit', 'shell')),
    policies: fc
      .uniqueArray(fc.constantFrom('shell', 'write(src/**)'))
      .map((rules) => rules.map((rule) => ({ verdict: 'ask' as const, rule }))),
    priority: fc.integer({ min: 0, max: 3 }),
    model: fc.constantFrom('fast', 'strong', undefined),
  })
  .map(({ model, ...rest }) => (model === undefined ? rest : { ...rest, model }));

test('[C105] merging is associative and a config merged with itself is itself', () => {
  fc.assert(
    fc.property(body, body, body, (a, b, c) => {
      const [left, right] = [mergeConfigs(mergeConfigs(a, b), c), mergeConfigs(a, mergeConfigs(b, c))];
      expect({ ...left, model: undefined }).toEqual({ ...right, model: undefined });
      expect(mergeConfigs(a, a)).toEqual(a);
    }),
  );
});

test('a merge is the union in order, keeps the highest priority, and its hint', () => {
  expect(
    mergeConfigs(
      { tools: ['read', 'edit'], policies: [{ verdict: 'ask', rule: 'shell' }], model: 'fast', priority: 1 },
      {
        tools: ['edit', 'write'],
        policies: [
          { verdict: 'ask', rule: 'shell' },
          { verdict: 'deny', rule: 'shell' },
        ],
        model: 'strong',
        priority: 2,
      },
    ),
  ).toEqual({
    tools: ['read', 'edit', 'write'],
    policies: [
      { verdict: 'ask', rule: 'shell' },
      { verdict: 'deny', rule: 'shell' },
    ],
    model: 'strong',
    priority: 2,
  });
});

test('a verb without a config gets the general one, with a message', () => {
  const unknown = buildConfig(shippedConfigs, { personas: [], verbs: ['juggle'], access: 'all' });
  const general = shippedConfigs.find((atom) => atom.for === 'general');
  expect(unknown).toEqual({
    tools: general?.tools,
    policies: [],
    priority: 10,
    from: ['general'],
    fallback: true,
  });
});

test('the result never holds a tool that the agent does not have', () => {
  const wanted = { personas: ['coder'], verbs: ['fix'] };
  expect(buildConfig(shippedConfigs, { ...wanted, access: { only: ['read', 'shell', 'other'] } }).tools).toEqual([
    'read',
    'shell',
  ]);
  expect(buildConfig(shippedConfigs, { ...wanted, access: 'none' }).tools).toEqual([]);
});

test('[C105] the tester writes in test folders; elsewhere it is asked about, unless a coder serves as well', () => {
  const rulesFor = (personas: readonly string[]) =>
    buildConfig(shippedConfigs, { personas, verbs: [], access: 'all' }).policies.map(({ verdict, rule }) =>
      [verdict, rule].join(' '),
    );
  expect(rulesFor(['tester'])).toEqual(['ask write', 'ask edit']);
  expect(rulesFor(['coder', 'tester'])).toEqual([]);
});
