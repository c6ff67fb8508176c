import { expect, test } from 'vitest';

import { callLine } from './call-line.ts';
import { callWords, commandResult, mergedWords } from './call-words.ts';
import { noPaint } from './terminal-style.ts';

const planned = { type: 'planned' } as const;
const wordsOf = (tool: string, args: string) => callWords({ tool, state: planned }, args);

test('a call has a verb, an object and its changes', () => {
  const edit = JSON.stringify({ path: 'src/a.ts', edits: [{ old_text: 'one\ntwo', new_text: 'one\n2\n3' }] });
  const { done, doing, object, added, removed } = wordsOf('edit', edit);
  expect({ done, doing, object, added, removed }).toEqual({
    done: 'Edited',
    doing: 'Editing',
    object: 'src/a.ts',
    added: 2,
    removed: 1,
  });
  expect(wordsOf('shell', '{"command":"npm test"}').object).toBe('npm test');
  expect(wordsOf('grep', '{"pattern":"TODO","path":"src"}').object).toBe('TODO in src');
  expect(wordsOf('list', '{"depth":4}').object).toBe('');
  expect(wordsOf('mystery', '{"a":1}').object).toBe('mystery {"a":1}');
});

test('a new file is created, an existing one edited, with the lines that really changed', () => {
  const args = '{"path":"notes.md","content":"a\\nb\\nc\\n"}';
  const line = (data: unknown) =>
    callLine(
      { tool: 'write', args, facts: {}, state: { type: 'succeeded', output: '', data, at: 1 } } as never,
      noPaint,
    ).text;
  expect([
    line({ created: true }),
    line({ created: false, added: 1, removed: 2 }),
    line({ created: false }),
  ]).toEqual(['✓ Created notes.md   +3', '✓ Edited notes.md   +1 −2', '✓ Edited notes.md']);
});

test('calls of one kind merge into a count', () => {
  expect(mergedWords(['read', 'read', 'grep', 'read', 'read', 'glob'])).toBe('Read 4 files, searched 2');
  expect(mergedWords(['edit', 'write', 'edit', 'shell', 'shell'])).toBe('Edited 3 files, ran 2 commands');
});

test('a command shows its exit code if it failed, and what a test runner counted', () => {
  expect([
    commandResult('Tests  45 passed (45)', { exitCode: 0 }),
    commandResult('3 failed | 9 passed', { exitCode: 1 }),
    commandResult('', { exitCode: 2 }),
    commandResult('fine', { exitCode: 0 }),
    commandResult('', { exitCode: null, signal: 'SIGKILL' }),
  ]).toEqual([
    { text: '45 passed', isFailed: false },
    { text: 'exit 1, 3 failed', isFailed: true },
    { text: 'exit 2', isFailed: true },
    { text: '', isFailed: false },
    { text: 'ended by SIGKILL', isFailed: true },
  ]);
});

test("reading a missing file is a calm line; any other failure isn't", () => {
  const failed = (tool: string, code: 'not-found' | 'not-permitted') =>
    callLine(
      {
        tool,
        args: '{"path":"a.txt"}',
        facts: {},
        state: { type: 'failed', code, message: 'a.txt is not there', durationMs: 10 },
      } as never,
      noPaint,
    ).text;
  expect([failed('read', 'not-found'), failed('read', 'not-permitted'), failed('edit', 'not-found')]).toEqual([
    "○ Looked for a.txt   doesn't exist",
    "✗ Couldn't read a.txt   a.txt is not there",
    "✗ Couldn't edit a.txt   a.txt is not there",
  ]);
});
