import { expect, test } from 'vitest';

import { shellApproval } from '../testing/shell-approval.ts';
import { callSets } from '../kernel/call-set.ts';
import { approvalPart, callPart, callText, grantsText } from './call-summary.ts';
import { oneLine } from './one-line.ts';
import { printable, withoutControls } from './printable.ts';

test('[S14] a call is summarized by its most dangerous part and the number of parts', () => {
  const args = JSON.stringify({ command: 'du -sh . && rm -rf dist/old && ls' });
  expect(
    callPart(args, {
      segments: [
        { text: 'du -sh .', effect: 'look' },
        { text: 'rm -rf dist/old', effect: 'delete' },
        { text: 'ls', effect: 'look' },
      ],
    }),
  ).toBe('rm -rf dist/old (1 of 3 parts)');
  expect(approvalPart({ about: { ...shellApproval, unit: 'rm -rf dist/old', parts: 3 } })).toBe(
    'rm -rf dist/old (1 of 3 parts)',
  );
  expect(callPart('{"command":"ls"}', { segments: [{ text: 'ls', effect: 'look' }] })).toBe('ls');
});

test('a command that runs is shown whole, because nobody knows which part runs', () => {
  expect(callText('{"command":"sleep 31; echo done"}')).toBe('sleep 31; echo done');
});

test('[S14] neither padding nor length pushes the end of a command out of sight', () => {
  const padded = `git log ${' '.repeat(3_000)}${'a'.repeat(300)} --output=.git/hooks/pre-commit`;
  const text = approvalPart({ about: { ...shellApproval, unit: padded } });
  expect([
    text.length <= 120,
    text.startsWith('git log aaa'),
    text.endsWith('--output=.git/hooks/pre-commit'),
  ]).toEqual([true, true, true]);
});

test('[S14] bidirectional and zero-width characters are spelled out, joiners of scripts and emoji stay', () => {
  expect(printable('rm \u202Etxt.exe\u2066 a\u200Bb\uFEFF')).toBe('rm ‹U+202E›txt.exe‹U+2066› a‹U+200B›b‹U+FEFF›');
  expect(printable('a\u200Db')).toBe('a‹U+200D›b');
  expect(printable('👨‍👩‍👧 می‌خواهم')).toBe('👨‍👩‍👧 می‌خواهم');
  expect(oneLine('ls \u202E x')).toBe('ls ‹U+202E› x');
});

test('[S14] escape sequences have no effect in a pipe either', () => {
  expect(withoutControls('a\u001B]52;c;cm0gLXJmIH4=\u0007b\r\nc\td')).toBe('a�]52;c;cm0gLXJmIH4=�b\nc\td');
});

test('[S6] shows a grant as it is saved, with its effect', () => {
  expect(
    grantsText(['shell(npm test *) [build 0123456789ab]', 'shell(git add *) [repository]', 'write(src/**)']),
  ).toBe(
    'shell(npm test *) [build 0123456789ab] (runs code from this folder, which the agent can change, only while its script stays as it is); shell(git add *) [repository]; write(src/**)',
  );
});

test('[S6] a set of calls is shown in words, and with every kind of call that it covers before it is saved', () => {
  const { words, covers } = callSets.commits;
  expect(grantsText(['commits [repository]'])).toBe(`commits [repository] (${words})`);
  expect(grantsText(['commits [build 0123456789ab]'], 'whole')).toBe(
    `commits [build 0123456789ab] (${words}: ${covers}; runs code from this folder, which the agent can change, only while its script stays as it is)`,
  );
});
