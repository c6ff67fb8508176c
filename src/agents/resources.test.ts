import { symlink } from 'node:fs/promises';

import { expect, test } from 'vitest';

import { loadInstructions, readInstructions } from './instruction-files.ts';
import { loadResources } from './resources.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

test('[C114] resources are read at request time: an edit between two turns is seen', async () => {
  await using project = await temporaryFolder({ 'docs/a.md': 'one', 'docs/b.md': 'b', 'src/c.ts': 'c' });
  expect(await loadResources(project.folder, ['docs/*.md', 'docs/a.md'])).toEqual({
    resources: [
      { path: 'docs/a.md', text: 'one' },
      { path: 'docs/b.md', text: 'b' },
    ],
    leftOut: [],
  });
  await project.write('docs/a.md', 'two');
  await project.write('docs/0.md', 'new');
  expect((await loadResources(project.folder, ['docs/*.md'])).resources).toEqual([
    { path: 'docs/0.md', text: 'new' },
    { path: 'docs/a.md', text: 'two' },
    { path: 'docs/b.md', text: 'b' },
  ]);
});

test('[C114] resources come from inside the project only, links resolved', async () => {
  await using place = await temporaryFolder({
    'secret.txt': 's',
    'project/a.txt': 'a',
    'project/.git/x.txt': 'x',
  });
  await symlink(place.at('secret.txt'), place.at('project/link.txt'));
  await symlink(place.at('project/a.txt'), place.at('project/same.txt'));
  expect(
    await loadResources(place.at('project'), [
      '../*.txt',
      place.at('secret.txt'),
      '**/*.txt',
      '{..,a}/secret.txt',
    ]),
  ).toEqual({
    resources: [{ path: 'a.txt', text: 'a' }],
    leftOut: [
      { path: '../*.txt', reason: 'it is outside the project.' },
      { path: place.at('secret.txt'), reason: 'it is outside the project.' },
      { path: 'link.txt', reason: 'it is outside the project.' },
      { path: '../secret.txt', reason: 'it is outside the project.' },
    ],
  });
});

test('[C114] resources are bounded in size and number, and omissions are listed', async () => {
  await using project = await temporaryFolder({
    'a.txt': 'ääääää',
    'b.txt': 'bbbb',
    'c.txt': 'c',
    'd.bin': 'a\0b',
  });
  const bounds = { files: 3, fileBytes: 5, bytes: 8 };
  expect(await loadResources(project.folder, ['*.txt'], bounds)).toEqual({
    resources: [
      { path: 'a.txt', text: 'ää', cut: { shown: 4, bytes: 12 } },
      { path: 'b.txt', text: 'bbbb' },
    ],
    leftOut: [{ path: 'c.txt', reason: 'the size limit for resources is reached.' }],
  });
  expect((await loadResources(project.folder, ['*'], bounds)).leftOut).toEqual([
    { path: '*', reason: 'it matches more than 3 files; Rondo uses the first ones.' },
    { path: 'c.txt', reason: 'the size limit for resources is reached.' },
  ]);
  expect((await loadResources(project.folder, ['*.bin'])).leftOut).toEqual([
    { path: 'd.bin', reason: "it isn't text." },
  ]);
});

test('instruction files are read from the root down to the working folder, without copies', async () => {
  await using place = await temporaryFolder({
    'AGENTS.md': 'above the project',
    'project/AGENTS.md': 'root, see @docs/other.md',
    'project/docs/other.md': 'imported',
    'project/a/CLAUDE.md': 'inner',
    'project/a/AGENTS.md': 'inner',
    'project/a/b/AGENTS.md': 'x'.repeat(40_000),
    'project/c/AGENTS.md': 'beside',
    'project/.env': 'KEY=of-a-person',
  });
  // A repository can bring such a link before anybody has an .env.
  await symlink('.env', place.at('project/GEMINI.md'));
  await symlink(place.at('project/a/AGENTS.md'), place.at('project/CLAUDE.md'));
  await symlink(place.at('AGENTS.md'), place.at('project/a/b/CLAUDE.md'));
  expect(await loadInstructions(place.at('project'), place.at('project/a/b'))).toEqual([
    { path: 'AGENTS.md', text: 'root, see @docs/other.md' },
    { path: 'CLAUDE.md', text: 'inner' },
    { path: 'a/b/AGENTS.md', text: 'x'.repeat(32_768), cut: { shown: 32_768, bytes: 40_000 } },
  ]);
});

test('[C144] the imports of CLAUDE.md and GEMINI.md follow it, once, and only those in the project', async () => {
  await using place = await temporaryFolder({
    'secret.md': 'outside',
    'project/CLAUDE.md': 'See @docs/style.md, @../secret.md, @docs, me@docs/style.md, `@docs/code.md` and @.env.',
    'project/docs/style.md': 'Use tabs. More in @more.md and @../CLAUDE.md',
    'project/docs/more.md': 'Four wide.',
    'project/docs/code.md': 'never',
    'project/.env': 'KEY=of-a-person',
    'project/GEMINI.md': '@./AGENTS.md @./docs/link.md',
    'project/AGENTS.md': 'Be brief.',
  });
  await symlink(place.at('secret.md'), place.at('project/docs/link.md'));
  const loaded = await loadInstructions(place.at('project'), place.at('project'));
  expect(loaded.map(({ path }) => path)).toEqual([
    'AGENTS.md',
    'CLAUDE.md',
    'docs/style.md',
    'docs/more.md',
    'GEMINI.md',
  ]);
});

test('[C144] what instructions name and Rondo leaves out is reported', async () => {
  await using place = await temporaryFolder({
    'secret.md': 'outside',
    'project/CLAUDE.md': 'See @~/.claude/own.md, @/etc/style.md, @../secret.md and @docs/none.md.',
    'project/.claude/rules/a.md': 'x'.repeat(32_000),
    'project/.claude/rules/b.md': 'y'.repeat(32_000),
    'project/.claude/rules/c.md': 'z'.repeat(32_000),
    'project/.claude/rules/d.md': 'w'.repeat(32_000),
  });
  const folder = place.at('project');
  const { instructions, leftOut } = await readInstructions(folder, folder);
  expect(instructions.map(({ path }) => path)).toEqual([
    'CLAUDE.md',
    '.claude/rules/a.md',
    '.claude/rules/b.md',
    '.claude/rules/c.md',
  ]);
  const outside = 'it is outside the project.';
  expect(leftOut).toEqual([
    { path: '~/.claude/own.md', reason: outside },
    { path: '/etc/style.md', reason: outside },
    { path: '../secret.md', reason: outside },
    { path: '.claude/rules/d.md', reason: 'there are more than 96 kB or 100 files of instructions.' },
  ]);
});

test('[C144] rules folders are read with their subfolders, and rules for some files are named', async () => {
  await using place = await temporaryFolder({
    'secret.md': 'outside',
    'project/.claude/CLAUDE.md': 'Be brief.',
    'project/.claude/rules/all.md': 'Use semicolons.',
    'project/.claude/rules/web/pages.md': '---\npaths:\n  - "web/**"\n  - src/*.tsx\n---\nUse tabs.',
    'project/.claude/rules/notes.txt': 'no rule',
    'project/.cursor/rules/always.mdc': '---\nalwaysApply: true\n---\nSay why.',
    'project/.cursor/rules/deep/python.mdc': '---\ndescription: x\nglobs: *.py\nalwaysApply: false\n---\nNo tabs.',
    'project/.cursor/rules/release.mdc': '---\ndescription: How to release\nalwaysApply: false\n---\nTag it.',
    'project/.cursor/rules/byhand.mdc': '---\nalwaysApply: false\n---\nnever',
    'project/.github/instructions/tests.instructions.md': '---\napplyTo: "**/*.test.ts"\n---\nNo mocks.',
    'project/.github/instructions/every.instructions.md': '---\napplyTo: "**"\n---\nEvery one.',
    'project/.clinerules': 'One file.',
  });
  await symlink(place.at('secret.md'), place.at('project/.claude/rules/link.md'));
  const folder = place.at('project');
  const { instructions, leftOut } = await readInstructions(folder, folder);
  expect(instructions.map(({ path, text }) => [path, text.split('\n').at(-1)])).toEqual([
    ['.claude/CLAUDE.md', 'Be brief.'],
    ['.clinerules', 'One file.'],
    ['.claude/rules/all.md', 'Use semicolons.'],
    ['.claude/rules/web/pages.md', 'Read this file before you work on web/**, src/*.tsx.'],
    ['.cursor/rules/always.mdc', 'Say why.'],
    ['.cursor/rules/deep/python.mdc', 'Read this file before you work on *.py.'],
    ['.cursor/rules/release.mdc', 'Read this file if it fits the task: How to release'],
    ['.github/instructions/every.instructions.md', 'Every one.'],
    ['.github/instructions/tests.instructions.md', 'Read this file before you work on **/*.test.ts.'],
  ]);
  expect(leftOut).toEqual([{ path: '.claude/rules/link.md', reason: 'it is outside the project.' }]);
});

test('a working folder outside the root has no instruction files', async () => {
  await using place = await temporaryFolder({ 'project/AGENTS.md': 'a', 'other/AGENTS.md': 'b' });
  expect(await loadInstructions(place.at('project'), place.at('other'))).toEqual([]);
});

test('[C144] the files that opencode.json names as instructions are read, with wildcards, and only those in the project', async () => {
  await using place = await temporaryFolder({
    'project/.git/': '',
    'project/AGENTS.md': 'agents',
    'project/opencode.json':
      '{"instructions": ["docs/**/*.md", "CONTRIBUTING.md", "AGENTS.md", "../outside.md", "../*.md", "~/x.md", "https://x.test/a.md", ".env", 7]}',
    'project/docs/b.md': 'b',
    'project/docs/deep/a.md': 'a',
    'project/docs/c.txt': 'c',
    'project/node_modules/docs/d.md': 'd',
    'project/CONTRIBUTING.md': 'contributing',
    'project/.env': 'KEY=1',
    'outside.md': 'outside',
  });
  const loaded = await loadInstructions(place.at('project'), place.at('project'));
  expect(loaded.map(({ path }) => path)).toEqual(['AGENTS.md', 'docs/b.md', 'docs/deep/a.md', 'CONTRIBUTING.md']);
});
