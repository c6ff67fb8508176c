// The recipes of CONTRIBUTING.md name only existing files, and every file that contains their example.
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const guide = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');
const part = guide.slice(guide.indexOf('## Recipes'));
const recipes = part
  .split(/^### /m)
  .slice(1)
  .map((text) => ({
    title: text.slice(0, text.indexOf('\n')),
    trace: /<!-- traced by: (.*) -->/.exec(text)?.[1],
    files: filesIn(text),
  }));
const sources = globSync(['{src,web/src}/**/*.{ts,svelte}', 'scripts/*.ts'], { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/\.test\.ts$|\.generated\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));

function filesIn(text: string): readonly string[] {
  return [...text.matchAll(/`((?:src|web|scripts|docs|test)\/[\w./-]+)`/g)].map(([, file = '']) => file);
}

test('the recipes cover a provider, an event, a tool, a command and a route', () => {
  expect(recipes.map(({ title }) => title)).toEqual([
    'Add a model provider',
    'Add an event',
    'Add a tool',
    'Add a command',
    'Add a slash command',
    'Add a route',
    'Others',
  ]);
});

test('every file that a recipe names exists', () => {
  expect(filesIn(guide).filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

test.each(recipes.flatMap(({ title, trace, files }) => (trace === undefined ? [] : [{ title, trace, files }])))(
  '$title: every file that its example is in is named',
  ({ trace, files }) => {
    const traced = sources.filter(({ file, text }) => new RegExp(trace).test(`${file}\n${text}`));
    expect(traced.length).toBeGreaterThan(1);
    expect(traced.map(({ file }) => file).filter((file) => !files.includes(file))).toEqual([]);
  },
);
