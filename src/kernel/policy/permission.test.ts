import { expect, test } from 'vitest';

import { call } from '../../testing/inputs.ts';
import type { CallFacts } from '../call.ts';
import { modes, type Mode } from '../mode.ts';
import { partsOfCall } from './call-units.ts';
import { approvalFacts, grantsFor, judge, withManaged, type Judgement } from './permission.ts';
import { parseRule, type Rule, type Verdict } from '../rule.ts';
import { type ToolAccess } from '../agent.ts';

interface Case {
  readonly name: string;
  readonly tool?: string;
  readonly facts: Partial<CallFacts>;
  /** `deny shell(rm *)`, … */
  readonly rules?: readonly `${Verdict} ${string}`[];
  readonly grants?: readonly string[];
  readonly tools?: ToolAccess;
  readonly mode?: Mode;
  /** Default: no rule covers it, so it asks. */
  readonly verdict?: Verdict;
  readonly rule?: string;
}

const shell = (...segments: readonly string[]): Partial<CallFacts> => ({
  access: 'execute',
  segments: segments.map((text) => ({ text })),
});
const path = (access: 'read' | 'write', name: string, rest: { inside?: boolean; sensitive?: boolean } = {}) => ({
  path: name,
  access,
  inside: true,
  ...rest,
});

function judged({
  tool = 'shell',
  facts,
  rules = [],
  grants = [],
  tools = 'all',
  mode = modes.interactive,
}: Case): Judgement {
  const parsed = (text: string, verdict: Verdict, origin: Rule['origin']): Rule => {
    const rule = parseRule(text, verdict, origin);
    if (rule === undefined) throw new Error(`no rule: ${text}`);
    return rule;
  };
  const policy = {
    rules: rules.map((text) => {
      const [verdict, ...rest] = text.split(' ');
      return parsed(rest.join(' '), verdict as Verdict, 'user');
    }),
    grants: grants.map((text) => parsed(text, 'allow', 'session')),
    tools,
  };
  return judge(call('a', tool, facts), policy, mode);
}

const cases: Record<string, readonly Case[]> = {
  '[P8][G1] a rule on a command covers every tool that runs it': [
    {
      name: 'allowed by its pattern',
      tool: 'run_tests',
      facts: shell('npm test'),
      rules: ['allow shell(npm test*)'],
      verdict: 'allow',
      rule: 'shell(npm test*)',
    },
    {
      name: 'granted by its pattern',
      tool: 'run_tests',
      facts: shell('npm test'),
      grants: ['shell(npm test)'],
      verdict: 'allow',
      rule: 'shell(npm test)',
    },
    {
      name: 'denied by its pattern',
      tool: 'run_tests',
      facts: shell('npm test'),
      rules: ['allow run_tests', 'deny shell(npm *)'],
      verdict: 'deny',
      rule: 'shell(npm *)',
    },
    {
      name: 'another command',
      tool: 'run_tests',
      facts: shell('npm test'),
      rules: ['allow shell(npm run lint)'],
    },
    {
      name: 'any command is allowed',
      tool: 'run_tests',
      facts: shell('npm test'),
      rules: ['allow shell'],
      verdict: 'allow',
      rule: 'shell',
    },
    {
      name: 'the shell as a tool is denied',
      tool: 'run_tests',
      facts: shell('npm test'),
      rules: ['allow run_tests', 'deny shell'],
      verdict: 'allow',
      rule: 'run_tests',
    },
    {
      name: 'a path is no command',
      tool: 'write',
      facts: { access: 'write', paths: [path('write', 'a')] },
      rules: ['allow shell(*)'],
    },
  ],
  '[S6][G9] a grant covers no more than what it was given for': [
    {
      name: 'not a file that is called like the command',
      facts: { access: 'execute', segments: [], paths: [path('write', 'make')] },
      grants: ['shell(make) [build]', 'shell(make)'],
    },
    {
      name: 'the file that a command was allowed to write',
      facts: { access: 'execute', segments: [], paths: [path('write', 'make')] },
      grants: ['shell(make) [edit]'],
      verdict: 'allow',
      rule: 'shell(make) [edit]',
    },
    {
      name: 'the same effect',
      facts: { access: 'execute', segments: [{ text: 'npm test -- a', effect: 'build', pin: '0123456789ab' }] },
      grants: ['shell(npm test *) [build 0123456789ab]'],
      verdict: 'allow',
      rule: 'shell(npm test *) [build 0123456789ab]',
    },
    {
      name: 'a worse effect',
      facts: {
        access: 'execute',
        segments: [{ text: 'npm test --prefix /x', effect: 'unknown', pin: '0123456789ab' }],
      },
      grants: ['shell(npm test *) [build 0123456789ab]'],
    },
    {
      name: 'another script',
      facts: { access: 'execute', segments: [{ text: 'npm test', effect: 'build', pin: 'ba9876543210' }] },
      grants: ['shell(npm test *) [build 0123456789ab]'],
    },
    {
      name: 'another folder',
      facts: { access: 'execute', segments: [{ text: 'make', effect: 'build', folder: 'packages/a' }] },
      grants: ['shell(make) [build]'],
    },
    {
      name: 'what must be asked every time',
      facts: { access: 'execute', segments: [{ text: 'psql', effect: 'look', once: true }] },
      grants: ['shell(psql) [unknown]', 'shell(psql)'],
    },
    {
      name: 'a wildcard of the first release, and a command that does more than read',
      facts: { access: 'execute', segments: [{ text: 'node evil.js', effect: 'build' }] },
      grants: ['shell(node *)'],
    },
    {
      name: 'a wildcard of the first release, and one that reads',
      facts: { access: 'execute', segments: [{ text: 'git log', effect: 'look' }] },
      grants: ['shell(git *)'],
      verdict: 'allow',
      rule: 'shell(git *)',
    },
  ],
  '[S4][S7][G10] what a wildcard does not cover': [
    {
      name: 'a word that makes a command do more',
      facts: { access: 'execute', segments: [{ text: 'find . -delete', effect: 'delete', raisedBy: '-delete' }] },
      rules: ['allow shell(find *)'],
    },
    {
      name: 'unless the rule states it',
      facts: { access: 'execute', segments: [{ text: 'find . -delete', effect: 'delete', raisedBy: '-delete' }] },
      rules: ['allow shell(find * -delete)'],
      verdict: 'allow',
      rule: 'shell(find * -delete)',
    },
    {
      name: 'a changed environment',
      facts: { access: 'execute', segments: [{ text: 'HOME=./h git status', also: ['git status'] }] },
      rules: ['allow shell(git status*)'],
    },
    {
      name: 'which a deny holds for all the same',
      facts: { access: 'execute', segments: [{ text: 'A_B=1 /bin/rm x', also: ['/bin/rm x', 'rm x'] }] },
      rules: ['allow shell', 'deny shell(rm *)'],
      verdict: 'deny',
      rule: 'shell(rm *)',
    },
    {
      name: 'a protected name',
      tool: 'write',
      facts: {
        access: 'write',
        paths: [{ path: '.Git/config', access: 'write', inside: true, protects: '.Git' }],
      },
      rules: ['allow write', 'allow write(**)'],
    },
    {
      name: 'which a rule may state',
      tool: 'write',
      facts: {
        access: 'write',
        paths: [{ path: '.git/info/exclude', access: 'write', inside: true, protects: '.git' }],
      },
      rules: ['allow write(.git/info/*)'],
      verdict: 'allow',
      rule: 'write(.git/info/*)',
    },
  ],
  '[S9][G11] what only reads': [
    {
      name: 'is free where Rondo runs it',
      facts: { access: 'execute', segments: [{ text: 'ls', effect: 'look', free: true }] },
      mode: modes.batch,
      verdict: 'allow',
      rule: 'reads',
    },
    {
      name: 'and is asked about where a rule asks',
      facts: { access: 'execute', segments: [{ text: 'ls', effect: 'look', free: true }] },
      rules: ['ask shell(ls*)'],
      verdict: 'ask',
      rule: 'shell(ls*)',
    },
    {
      name: 'goes along with a part that a rule covers',
      facts: {
        access: 'execute',
        segments: [
          { text: 'make', effect: 'build' },
          { text: 'tail -5', effect: 'look', mild: true },
        ],
      },
      rules: ['allow shell(make)'],
      verdict: 'allow',
      rule: 'shell(make)',
    },
    {
      name: 'and not by itself',
      facts: { access: 'execute', segments: [{ text: 'tail -5', effect: 'look', mild: true }] },
    },
  ],
  '[C42][G1] per part: deny before ask before allow before the default': [
    { name: 'no rule', facts: shell('make') },
    {
      name: 'allowed',
      facts: shell('make'),
      rules: ['allow shell(make*)'],
      verdict: 'allow',
      rule: 'shell(make*)',
    },
    {
      name: 'asked over allowed',
      facts: shell('make'),
      rules: ['allow shell', 'ask shell(make)'],
      verdict: 'ask',
      rule: 'shell(make)',
    },
    {
      name: 'denied over all',
      facts: shell('make'),
      rules: ['allow shell(make)', 'ask shell', 'deny shell(make)'],
      verdict: 'deny',
      rule: 'shell(make)',
    },
    {
      name: 'the order of rules is of no matter',
      facts: shell('rm x'),
      rules: ['deny shell(rm *)', 'allow shell'],
      verdict: 'deny',
      rule: 'shell(rm *)',
    },
    {
      name: 'a rule of another tool',
      facts: shell('make'),
      rules: ['allow other'],
    },
    {
      name: 'a pattern never covers a call without parts',
      facts: { access: 'write' },
      rules: ['allow shell(*)'],
    },
  ],
  '[C42][C43][G2] across parts the most severe verdict wins': [
    {
      name: 'one of two not allowed',
      facts: shell('ls', 'rm -rf /'),
      rules: ['allow shell(ls*)'],
    },
    {
      name: 'one of two denied',
      facts: shell('ls', 'rm -rf /'),
      rules: ['allow shell', 'deny shell(rm *)'],
      verdict: 'deny',
      rule: 'shell(rm *)',
    },
    {
      name: 'both allowed',
      facts: shell('ls', 'cat a'),
      rules: ['allow shell(ls*)', 'allow shell(cat *)'],
      verdict: 'allow',
      rule: 'shell(ls*)',
    },
    {
      name: 'a danger asks though the tool is trusted',
      facts: { ...shell('git push'), dangers: [{ rule: 'history', severity: 'ask', reason: 'It rewrites.' }] },
      rules: ['allow shell'],
      verdict: 'ask',
      rule: 'history',
    },
    {
      name: 'a danger denies over everything',
      facts: {
        ...shell('rm -rf /'),
        dangers: [{ rule: 'destruction', severity: 'deny', reason: 'It destroys.' }],
      },
      rules: ['allow *'],
      grants: ['shell'],
      verdict: 'deny',
      rule: 'destruction',
    },
    {
      name: 'addresses count as parts',
      facts: { access: 'network', urls: ['https://a.io/', 'https://b.io/'] },
      rules: ['allow shell(https://a.io/*)'],
    },
  ],
  '[P8][C42][G3] the default': [
    { name: 'reading is free', facts: { access: 'read' }, verdict: 'allow', rule: 'reads' },
    { name: 'talking is free', facts: { access: 'talk' }, verdict: 'allow', rule: 'reads' },
    { name: 'writing is asked about', facts: { access: 'write' } },
    { name: 'running is asked about', facts: { access: 'execute' } },
    { name: 'fetching is asked about', facts: { access: 'network' } },
    {
      name: 'reading a file inside',
      facts: { access: 'read', paths: [path('read', '/project/a')] },
      verdict: 'allow',
      rule: 'reads',
    },
    {
      name: 'reading a secret',
      facts: { access: 'read', paths: [path('read', '/project/.env', { sensitive: true })] },
    },
    {
      name: 'writing a file inside',
      facts: { access: 'write', paths: [path('write', '/project/a')] },
    },
    { name: 'nobody to ask', facts: { access: 'write' }, mode: modes.batch, verdict: 'deny', rule: 'default' },
    {
      name: 'nobody to ask, but allowed',
      facts: { access: 'write' },
      mode: modes.batch,
      rules: ['allow shell'],
      verdict: 'allow',
      rule: 'shell',
    },
    {
      name: 'every call asked about',
      facts: { access: 'read' },
      mode: modes.supervised,
      verdict: 'ask',
      rule: 'supervised',
    },
    {
      name: 'every call asked about, but denied',
      facts: { access: 'read' },
      rules: ['deny *'],
      mode: modes.supervised,
      verdict: 'deny',
      rule: '*',
    },
  ],
  '[C42][G4] a grant answers an ask and never lifts a denial': [
    {
      name: 'an ask',
      facts: shell('make'),
      rules: ['ask shell'],
      grants: ['shell(make)'],
      verdict: 'allow',
      rule: 'shell(make)',
    },
    { name: 'the default', facts: shell('make'), grants: ['shell'], verdict: 'allow', rule: 'shell' },
    {
      name: 'a denial',
      facts: shell('make'),
      rules: ['deny shell(make)'],
      grants: ['shell'],
      verdict: 'deny',
      rule: 'shell(make)',
    },
    {
      name: 'another part',
      facts: shell('make', 'rm x'),
      grants: ['shell(make)'],
    },
    {
      name: 'nobody to ask',
      facts: shell('make'),
      grants: ['shell(make)'],
      mode: modes.batch,
      verdict: 'allow',
      rule: 'shell(make)',
    },
  ],
  '[P8][G5] what cannot be told beforehand': [
    {
      name: 'facts that could not be worked out',
      facts: { problem: { code: 'x', message: 'no idea' } },
      rules: ['allow *'],
      verdict: 'deny',
      rule: 'facts',
    },
    {
      name: 'an opaque part is not covered by a pattern',
      facts: { segments: [{ text: 'eval $X', opaque: true }] },
      rules: ['allow shell(eval *)'],
    },
    {
      name: 'nor by a granted one',
      facts: { segments: [{ text: 'eval $X', opaque: true }] },
      grants: ['shell(eval *)'],
    },
    {
      name: 'but by trust in the whole tool',
      facts: { segments: [{ text: 'eval $X', opaque: true }] },
      rules: ['allow shell'],
      verdict: 'allow',
      rule: 'shell',
    },
    {
      name: 'and a pattern denies it',
      facts: { segments: [{ text: 'eval $X', opaque: true }] },
      rules: ['deny shell(eval *)', 'allow shell'],
      verdict: 'deny',
      rule: 'shell(eval *)',
    },
  ],
  '[P8][G6] what no rule can allow': [
    {
      name: 'a path outside',
      facts: { paths: [path('read', '/etc/passwd', { inside: false })] },
      rules: ['allow *'],
      verdict: 'deny',
      rule: 'roots',
    },
    {
      name: 'a tool the agent does not have',
      facts: { access: 'read' },
      tools: { only: ['look'] },
      rules: ['allow *'],
      verdict: 'deny',
      rule: 'tools',
    },
    {
      name: 'any tool, for an agent without tools',
      facts: { access: 'read' },
      tools: 'none',
      verdict: 'deny',
      rule: 'tools',
    },
    {
      name: 'none of them, for an empty list',
      facts: { access: 'read' },
      tools: { only: [] },
      verdict: 'deny',
      rule: 'tools',
    },
    {
      name: 'but a tool that is listed',
      facts: { access: 'read' },
      tools: { only: ['shell'] },
      verdict: 'allow',
      rule: 'reads',
    },
  ],
  '[C41][G1] trust': [
    { name: 'in all', facts: { access: 'write' }, rules: ['allow *'], verdict: 'allow', rule: '*' },
    {
      name: 'in a list, with the tool',
      tool: 'edit',
      facts: { access: 'write' },
      rules: ['allow edit', 'allow write'],
      verdict: 'allow',
      rule: 'edit',
    },
    {
      name: 'in a list, without it',
      tool: 'run',
      facts: { access: 'write' },
      rules: ['allow edit', 'allow write'],
    },
  ],
};

const unruled: Pick<Judgement, 'verdict' | 'rule'> = { verdict: 'ask', rule: 'default' };
const rows = Object.entries(cases).flatMap(([title, list]) => list.map((one) => ({ title, ...unruled, ...one })));

test.for(rows)('$title: $name: $verdict', (row) => {
  const { verdict, rule } = judged(row);

  expect({ verdict, rule }).toEqual({ verdict: row.verdict, rule: row.rule });
});

test('[G2] a judgement says which rule decided, whose it is, about what part and why', () => {
  expect(
    judged({ name: '', facts: shell('ls', 'rm x'), rules: ['deny shell(rm *)'], verdict: 'deny', rule: '' }),
  ).toEqual({
    verdict: 'deny',
    rule: 'shell(rm *)',
    origin: 'user',
    reason: 'The user rule shell(rm *) denies this.',
    unit: 'rm x',
  });
});

test('[G3] so does one by a built-in rule', () => {
  expect(judged({ name: '', facts: shell('make'), verdict: 'ask', rule: '' })).toEqual({
    verdict: 'ask',
    rule: 'default',
    origin: 'built-in',
    reason: 'No rule allows this, so a person decides.',
    unit: 'make',
  });
  expect(judged({ name: '', facts: { access: 'read' }, verdict: 'allow', rule: '' })).toEqual({
    verdict: 'allow',
    rule: 'reads',
    origin: 'built-in',
    reason: 'Reading inside the session is allowed.',
  });
});

test('[Q4] "allow for this session" grants what the facts propose, else the tool', () => {
  expect(grantsFor(call('a', 'shell', { grants: ['shell(git *)'] }))).toEqual(['shell(git *)']);
  expect(grantsFor(call('a', 'edit'))).toEqual(['edit']);
});

test('[S14][G12] the most dangerous of the parts that must be asked about speaks for the call', () => {
  const facts: Partial<CallFacts> = {
    access: 'execute',
    segments: [
      { text: 'du -sh .', effect: 'look' },
      { text: 'rm -rf dist/old', effect: 'delete' },
      { text: 'make', effect: 'build' },
    ],
  };
  expect(judged({ name: '', facts, verdict: 'ask', rule: '' })).toMatchObject({
    verdict: 'ask',
    unit: 'rm -rf dist/old',
    effect: 'delete',
  });
  expect(
    approvalFacts(call('a', 'shell', facts), judged({ name: '', facts, verdict: 'ask', rule: '' })),
  ).toMatchObject({
    unit: 'rm -rf dist/old',
    effect: 'delete',
    parts: 3,
  });
});

test('[P8] a question counts what its card lists: the commands of a line, and all that they reach', () => {
  const facts: Partial<CallFacts> = {
    access: 'execute',
    segments: [{ text: 'a' }, { text: 'b' }],
    paths: [{ path: '/x', access: 'read', inside: false }],
    urls: ['https://a.test', 'https://b.test'],
  } as const;
  const asked = approvalFacts(call('a', 'shell', facts), undefined);
  expect(asked).toEqual({ tool: 'shell', rule: 'default', reason: '', parts: 5, grants: ['shell'] });
  const { segments: _segments, ...reached } = facts;
  expect(approvalFacts(call('a', 'shell', reached), undefined).parts).toBe(3);
  const { parts: _, ...one } = asked;
  expect(approvalFacts(call('a', 'shell', { access: 'execute', segments: [{ text: 'a' }] }), undefined)).toEqual(
    one,
  );
});

test('[P8][S14] a redirection is a part: the card names it, counts it, and shows the verdict on every part', () => {
  const facts: Partial<CallFacts> = {
    access: 'execute',
    segments: [
      { text: 'date', effect: 'look', mild: true },
      { text: 'ls', effect: 'look', mild: true },
    ],
    paths: [
      { path: 'when.txt', access: 'write', inside: true, set: { name: 'edits' } },
      { path: 'when.txt', access: 'write', inside: true, set: { name: 'edits' } },
    ],
    grants: ['edits [edit]'],
  };
  expect(partsOfCall(facts)).toEqual([
    { text: 'date', effect: 'look', mild: true },
    { text: 'ls', effect: 'look', mild: true },
    { text: 'write when.txt', effect: 'edit' },
  ]);
  expect(approvalFacts(call('a', 'shell', facts), judged({ name: '', facts, verdict: 'ask', rule: '' }))).toEqual({
    tool: 'shell',
    rule: 'default',
    reason: 'No rule allows this, so a person decides.',
    unit: 'write when.txt',
    effect: 'edit',
    parts: 3,
    covered: [
      { part: 'date', rule: 'reads' },
      { part: 'ls', rule: 'reads' },
    ],
    grants: ['edits [edit]'],
  });
});

test('[S6][S14] a question offers rules only for the parts that ask, and counts a part that comes along as allowed', () => {
  const facts: Partial<CallFacts> = {
    access: 'execute',
    segments: [
      { text: 'seq 1 2', effect: 'unknown' },
      { text: 'echo fin', effect: 'look', mild: true },
      { text: 'npm test', effect: 'build' },
    ],
    grants: ['shell(seq 1 2) [unknown]', 'shell(npm test) [build]'],
  };
  const rules = ['allow shell(seq *)'] as const;
  expect(
    approvalFacts(call('a', 'shell', facts), judged({ name: '', facts, rules, verdict: 'ask', rule: '' })),
  ).toMatchObject({
    unit: 'npm test',
    parts: 3,
    covered: [
      { part: 'seq 1 2', rule: 'shell(seq *)' },
      { part: 'echo fin', rule: 'reads' },
    ],
    grants: ['shell(npm test) [build]'],
  });
});

test('[S14] a danger speaks for the call, and no rule makes the part that it names look allowed', () => {
  const facts: Partial<CallFacts> = {
    access: 'execute',
    segments: [
      { text: 'tee .env', effect: 'edit' },
      { text: 'npm test', effect: 'build' },
    ],
    dangers: [{ rule: 'writes-secrets', severity: 'ask', reason: 'It writes secrets.', unit: 'tee .env' }],
  };
  expect(judged({ name: '', facts, rules: ['allow shell(tee *)'], verdict: 'ask', rule: '' })).toEqual({
    verdict: 'ask',
    rule: 'writes-secrets',
    origin: 'built-in',
    reason: 'It writes secrets.',
    unit: 'tee .env',
    effect: 'edit',
  });
});

test('[P8] what only reads comes along with a part that asks, and never where nobody can be asked', () => {
  const segments = [
    { text: 'cat a', effect: 'look', mild: true },
    { text: 'make', effect: 'build' },
  ] as const;
  const one = { name: '', facts: { access: 'execute', segments }, rules: ['ask shell(make)'], rule: '' } as const;
  expect([
    judged({ ...one, verdict: 'ask' }),
    judged({ ...one, mode: modes.batch, verdict: 'deny' }),
  ]).toMatchObject([
    { verdict: 'ask', unit: 'make', covered: [{ part: 'cat a', rule: 'reads' }] },
    { verdict: 'deny', rule: 'default', unit: 'cat a' },
  ]);
});

test('[P8] a managed rule is noted once, however often a call is judged', () => {
  const rules = [{ verdict: 'deny', tool: 'shell', origin: 'managed' }] as const;
  const { facts } = call('a', 'shell');
  const once = withManaged('shell', facts, rules);
  expect(once.dangers).toHaveLength(1);
  expect(withManaged('shell', once, rules)).toEqual(once);
});
