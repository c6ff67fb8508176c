import { expect, test } from 'vitest';

import type { CallFacts } from '../kernel/call.ts';
import type { CallId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import type { QuestionSubject } from '../kernel/question.ts';
import { effectHeading, isDangerous } from './effect-heading.ts';

const about = (tool: string, unit?: string): QuestionSubject => ({
  type: 'approval',
  call: 'c' as CallId,
  tool,
  rule: 'default',
  reason: '',
  grants: [],
  ...optional({ unit }),
});
const segments = (
  ...parts: readonly (readonly [string, NonNullable<CallFacts['segments']>[number]['effect']])[]
) => ({
  segments: parts.map(([text, effect]) => ({ text, ...optional({ effect }) })),
});

test('[S14] the heading is the effect, worst part first', () => {
  const chain = segments(['du -sh dist', 'look'], ['tee clean.log', 'edit'], ['rm -rf dist/old', 'delete']);
  expect(effectHeading({ about: about('shell'), facts: chain })).toBe('Deletes dist/old, writes clean.log');
  const push = segments(['git push --force origin main', 'send']);
  expect(effectHeading({ about: about('shell'), facts: push })).toBe('Pushes by force origin main');
  const install = segments(['npm install pg-copy-streams@6', 'network']);
  expect(effectHeading({ about: about('shell'), facts: install })).toBe('Installs pg-copy-streams@6');
  const commit = segments(['git add a.ts', 'repository'], ['git commit -m x', 'repository']);
  expect(effectHeading({ about: about('shell'), facts: commit })).toBe('Stages a.ts, commits to git');
  expect(effectHeading({ about: about('edit', 'src/a.ts') })).toBe('Edits src/a.ts');
  expect(effectHeading({ about: about('shell', 'make') })).toBe('Runs make');
});

test('[S14] nothing that reorders or hides text stays invisible', () => {
  const hidden = segments(['rm a\u202Eb', 'delete']);
  expect(effectHeading({ about: about('shell'), facts: hidden })).toBe('Deletes a‹U+202E›b');
});

test('[S14] what can’t be undone is known from the facts', () => {
  const facts = (effect: 'edit' | 'delete' | 'send') => segments(['x', effect]);
  expect([
    isDangerous({ about: about('shell'), facts: facts('edit') }),
    isDangerous({ about: about('shell'), facts: facts('delete') }),
    isDangerous({ about: about('shell'), facts: facts('send') }),
    isDangerous({ about: about('edit') }),
    isDangerous({ about: about('write'), facts: { paths: [{ path: '/etc/x', access: 'write', inside: false }] } }),
  ]).toEqual([false, true, true, false, true]);
});
