import { describe, expect, test } from 'vitest';

import { call } from '../testing/inputs.ts';
import type { CallFacts } from './call.ts';
import { modes, type Mode } from './mode.ts';
import { judge } from './policy/permission.ts';
import { parseRule, type Rule, type Verdict } from './rule.ts';

interface Case {
  readonly name: string;
  readonly facts: Partial<CallFacts>;
  readonly rule?: readonly [Verdict, string];
  readonly mode?: Mode;
  readonly expected: readonly [Verdict, string];
}

const make: Partial<CallFacts> = { access: 'execute', segments: [{ text: 'make' }] };
const path = { path: '.env', access: 'read', inside: true } as const;

const cases: readonly Case[] = [
  { name: 'a command runs unasked', facts: make, expected: ['allow', 'sandbox'] },
  { name: 'also where nobody can be asked', facts: make, mode: modes.batch, expected: ['allow', 'sandbox'] },
  {
    name: 'also what is known only when run',
    facts: { access: 'execute', segments: [{ text: 'eval $x', opaque: true }] },
    expected: ['allow', 'sandbox'],
  },
  {
    name: 'a path outside is not there, so it may be named',
    facts: { access: 'execute', paths: [{ ...path, path: '/etc/x', inside: false }] },
    expected: ['allow', 'sandbox'],
  },
  { name: 'a deny holds', facts: make, rule: ['deny', 'shell(make*)'], expected: ['deny', 'shell(make*)'] },
  { name: 'an ask holds', facts: make, rule: ['ask', 'shell(make*)'], expected: ['ask', 'shell(make*)'] },
  { name: 'supervision holds', facts: make, mode: modes.supervised, expected: ['ask', 'supervised'] },
  {
    name: 'a secret of the project is asked about',
    facts: { access: 'execute', paths: [{ ...path, sensitive: true }] },
    expected: ['ask', 'default'],
  },
  {
    name: 'a change of a secret is asked about',
    facts: { access: 'execute', paths: [{ ...path, access: 'write', sensitive: true }] },
    expected: ['ask', 'default'],
  },
  {
    name: 'a change of what the sandbox protects fails there, so nobody is asked',
    facts: { access: 'execute', paths: [{ ...path, access: 'write', sensitive: true, protects: '.env' }] },
    expected: ['allow', 'sandbox'],
  },
  {
    name: 'reading a protected secret is asked about',
    facts: { access: 'execute', paths: [{ ...path, sensitive: true, protects: '.env' }] },
    expected: ['ask', 'default'],
  },
  {
    name: 'a danger is asked about',
    facts: { ...make, dangers: [{ rule: 'git-discard', severity: 'ask', reason: 'loses changes' }] },
    expected: ['ask', 'git-discard'],
  },
];

describe('safety S8: a confined call', () => {
  test.each(cases)('$name', ({ facts, rule, mode = modes.interactive, expected }) => {
    const parsed = rule === undefined ? undefined : parseRule(rule[1], rule[0], 'user');
    const rules: readonly Rule[] = parsed === undefined ? [] : [parsed];
    const judged = judge(
      call('a', 'shell', { ...facts, confined: true }),
      { rules, grants: [], tools: 'all' },
      mode,
    );
    expect([judged.verdict, judged.rule]).toEqual(expected);
  });

  test.each([
    ['execute', "It runs in the sandbox and can't reach beyond it."],
    ['write', 'A command in the sandbox may make the same change.'],
  ] as const)('that may %s says why it runs unasked', (access, reason) => {
    const { segments } = make;
    const policy = { rules: [], grants: [], tools: 'all' } as const;
    const given = call('a', 'shell', { access, ...(access === 'execute' && { segments }), confined: true });
    expect(judge(given, policy, modes.interactive)).toMatchObject({ verdict: 'allow', rule: 'sandbox', reason });
  });
});
