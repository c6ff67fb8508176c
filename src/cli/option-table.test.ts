import path from 'node:path';

import { expect, test } from 'vitest';

import { parseOptions, repositoryFrom } from './option-table.ts';

const options = {
  'max-tokens': { type: 'string', value: 'N', help: 'the limit' },
  json: { type: 'boolean', short: 'j', help: 'print JSON' },
} as const;

function messageOf(...argv: readonly string[]): string {
  try {
    parseOptions(options, argv, { most: 0 });
    return 'fine';
  } catch (error) {
    return (error as Error).message;
  }
}

test('a mistake in an option is reported in our own words, not in those of the parser', () => {
  expect([
    messageOf('--max-tokens', '-1'),
    messageOf('--max-tokens'),
    messageOf('--json=yes'),
    messageOf('--max-token', '1'),
    messageOf('--max-tokens=-1'),
  ]).toEqual([
    '--max-tokens needs a value; write --max-tokens=N if it starts with a dash',
    '--max-tokens needs a value: --max-tokens N',
    '--json takes no value',
    'unknown option --max-token; did you mean --max-tokens?',
    'fine',
  ]);
});

test('--repo with a path is resolved against the current folder; addresses stay as they are', () => {
  const here = process.cwd();
  expect(
    [
      '../shop.git',
      './shop',
      '..',
      'src',
      '/srv/shop.git',
      'https://git.test/shop.git',
      'git@git.test:shop',
      'shop.git',
    ].map((repo) => repositoryFrom({ repo })?.url),
  ).toEqual([
    path.resolve(here, '../shop.git'),
    path.join(here, 'shop'),
    path.dirname(here),
    path.join(here, 'src'),
    '/srv/shop.git',
    'https://git.test/shop.git',
    'git@git.test:shop',
    'shop.git',
  ]);
});
