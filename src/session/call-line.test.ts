import { describe, expect, test } from 'vitest';

import { namesLast, readCallLine, withLast, type LineTool } from './call-line.ts';

const string = { type: 'string' };
const integer = { type: 'integer' };
const tools: readonly LineTool[] = [
  {
    name: 'read',
    parameters: { properties: { path: string, offset: integer, limit: integer }, required: ['path'] },
  },
  {
    name: 'grep',
    parameters: {
      properties: {
        pattern: string,
        path: string,
        ignore_case: { type: 'boolean' },
        show: { type: 'string', enum: ['lines', 'files'] },
        limit: integer,
      },
      required: ['pattern'],
    },
  },
  { name: 'list', parameters: { properties: { path: string, depth: integer } } },
  { name: 'shell', parameters: { properties: { command: string, cwd: string }, required: ['command'] } },
  { name: 'write', parameters: { properties: { path: string, content: string }, required: ['path', 'content'] } },
  {
    name: 'edit',
    parameters: { properties: { path: string, edits: { type: 'array' } }, required: ['path', 'edits'] },
  },
];
const scene = { tools, onlyCalls: false };

describe('[C150] a line that parses as a tool call is one', () => {
  test.each([
    ['read src/a.ts', 'read', { path: 'src/a.ts' }, 'by-position'],
    ['  read src/a.ts 10 20 ', 'read', { path: 'src/a.ts', offset: 10, limit: 20 }, 'by-position'],
    ['grep foo src', 'grep', { pattern: 'foo', path: 'src' }, 'by-position'],
    ['grep "two words" src --limit 5', 'grep', { pattern: 'two words', path: 'src', limit: 5 }, 'by-position'],
    ['grep \'a "b" c\' --ignore-case', 'grep', { pattern: 'a "b" c', ignore_case: true }, 'by-position'],
    ['grep foo 5', 'grep', { pattern: 'foo', path: '5' }, 'by-position'],
    ['grep --pattern=foo --show=files', 'grep', { pattern: 'foo', show: 'files' }, 'by-name'],
    ['list', 'list', {}, 'by-name'],
    ['list 3', 'list', { path: '3' }, 'by-position'],
    ['list --depth 3', 'list', { depth: 3 }, 'by-name'],
    ['shell git log -1 "--format=%s" | cat', 'shell', { command: 'git log -1 "--format=%s" | cat' }, 'by-name'],
    ['read {"path":"a b"}', 'read', { path: 'a b' }, 'by-name'],
    ['edit {"path":"a",\n"edits":[]}', 'edit', { path: 'a', edits: [] }, 'by-name'],
    ['write a poem', 'write', { path: 'a', content: 'poem' }, 'by-position'],
  ] as const)('%s', (line, tool, args, written) => {
    expect(readCallLine(line, scene)).toEqual({ tool, args, written });
  });
});

describe('[C150] any other line is a prompt', () => {
  test.each([
    'what does src/a.ts do?',
    'Read src/a.ts',
    'read the docs',
    'read',
    'read src/a.ts\nand explain it',
    "grep what doesn't work",
    'grep foo src --no-such 1',
    'grep foo --limit many',
    'grep --pattern foo --show everything',
    'list all files of src',
    'edit src/a.ts',
    'shell',
    'unknown src',
    'unknown {"path":"src"}',
    'read {"path":',
    '',
  ])('%j', (line) => {
    expect(readCallLine(line, scene)).toBeUndefined();
  });
});

test('without a model a JSON object makes a call of any name', () => {
  const only = { tools, onlyCalls: true };
  expect(readCallLine('lst {}', only)).toEqual({ tool: 'lst', args: {}, written: 'by-name' });
  expect(readCallLine('please list', only)).toBeUndefined();
});

test('[C150] `_` is the last result as a word of a call, and never as a part of a shell command', () => {
  const last = 'src/a.ts\n';
  const read = (line: string) => readCallLine(line, { ...scene, last })?.args;
  expect(read('read _')).toEqual({ path: 'src/a.ts' });
  expect(read('grep foo _')).toEqual({ pattern: 'foo', path: 'src/a.ts' });
  expect(read("grep '_'")).toEqual({ pattern: '_' });
  expect(read('shell cat _')).toEqual({ command: 'cat _' });
  expect(readCallLine('read _', scene)?.args).toEqual({ path: '_' });
});

test('[C150] a prompt that names `_` brings the last result, cut where it is long', () => {
  expect(['explain _', '_', 'is _, or what?', 'snake_case', 'my _private', '__'].map(namesLast)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(withLast('explain _', 'one')).toBe('explain _\n\n`_` is:\none');
  expect(withLast('explain _', 'x'.repeat(20_001))).toBe(
    `explain _\n\n\`_\` is:\n${'x'.repeat(20_000)}\n[1 more]`,
  );
});
