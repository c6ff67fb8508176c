import { expect, test } from 'vitest';

import { isSameRules, renewRules } from './renew-rules.ts';
import type { Rule } from '../rule.ts';

const rule = (origin: Rule['origin'], tool: string, verdict: Rule['verdict'] = 'allow'): Rule => ({
  origin,
  tool,
  verdict,
});

test('rules of the user and the project are as they stand now; those of agent, session and flags stay', () => {
  const before = [
    rule('session', 'shell'),
    rule('user', 'old'),
    rule('agent', 'read'),
    rule('project', 'older'),
    rule('flag', 'web'),
  ];
  const standing = [rule('user', 'new')];
  expect(renewRules(before, standing)).toEqual([
    rule('agent', 'read'),
    rule('user', 'new'),
    rule('session', 'shell'),
    rule('flag', 'web'),
  ]);
});

test('a flag that is there already is not added again', () => {
  const before = [rule('flag', 'web')];
  expect(renewRules(before, [], [rule('flag', 'web'), rule('flag', 'web', 'deny')])).toEqual([
    rule('flag', 'web'),
    rule('flag', 'web', 'deny'),
  ]);
});

test('rules are the same where origin, verdict and words are, in the same order', () => {
  const [a, b] = [rule('user', 'a'), rule('user', 'b')];
  expect(isSameRules([a, b], [{ ...a }, { ...b }])).toBe(true);
  expect(isSameRules([a, b], [b, a])).toBe(false);
  expect(isSameRules([a], [a, b])).toBe(false);
  expect(isSameRules([a], [rule('project', 'a')])).toBe(false);
  expect(isSameRules([a], [rule('user', 'a', 'deny')])).toBe(false);
});
