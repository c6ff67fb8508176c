import { symlink } from 'node:fs/promises';

import { expect, test } from 'vitest';

import { loadInstructions } from './instruction-files.ts';
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
