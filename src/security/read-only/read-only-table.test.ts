import { describe, expect, test } from 'vitest';

import { globsOverlap } from '../paths/glob-overlap.ts';
import { environmentChanges } from '../shell/environment-changes.ts';
import { parseCommand } from '../shell/parse-command.ts';
import { protectedNameIn } from '../paths/protected-names.ts';
import { readOnlyCommand } from './read-only-table.ts';

describe('[S9] the table of commands that only read', () => {
  test.each([
    'sort -o x y',
    'sort -uo x y',
    'sort --output=x y',
    'sort --outp=x y',
    'sort -T /tmp y',
    'sort --files0-from=x',
    'uniq a b',
    'tail -f x',
    'tail -F x',
    'tail --follow x',
    'find . -delete',
    'find . -exec ls',
    'find . -fprint x',
    'find . -newer x',
    'grep -f x y',
    'grep -R x .',
    'grep -z x y',
    'grep --file=x y',
    'rg --pre x y',
    'rg -z x',
    'rg --hidden x',
    'rg -u x',
    'sed -n 1e x',
    'sed -i s/a/b/ x',
    'sed -n 1,2w x',
    'sed 1,2p x',
    'date -s x',
    'date +%s',
    'sha256sum -c x',
    'du --files0-from=x',
    'wc --files0-from=x',
    'ls -L x',
    'less x',
    'man ls',
    'ps',
    'env',
    'jq . x',
    'awk 1 x',
    'tar tf x',
    'xargs ls',
    'tree',
    'xxd x',
    'test -v x',
    'file x',
    'node -v',
    'cargo --version',
    'yarn --version',
    'node --version x',
    './ls',
  ])('%s is not in it', (line) => {
    expect(readOnlyCommand(line.split(' '))).toBeUndefined();
  });

  test('a search leaves secrets out, whatever was asked for', () => {
    const command = readOnlyCommand(['grep', '-r', '--include=.env', 'KEY', '.']);
    expect([command?.options.at(0), command?.options.includes('--exclude=.env'), command?.operands]).toEqual([
      '-r',
      true,
      [{ word: '.', is: 'tree' }],
    ]);
  });
});

test.each<[string, string, boolean]>([
  ['/pro?/**/environ', '/proc/*/environ', true],
  ['/p*c/self/env*', '/proc/*/environ', true],
  ['/etc/passwd', '/proc/*/environ', false],
  ['/home/a/.rond?/token', '/home/a/.rondo/**', true],
  ['/home/a/*', '/home/a/.rondo/**', false],
  ['/a/**', '/a/b/c', true],
  ['/a/*', '/a/b/c', false],
  ['/a/b', '/a/b**', true],
  ['/a/?', '/a/b', true],
  ['/a/bc', '/a/b', false],
  ['/a/x*', '/a/y*', false],
])('[S5] %s and %s could name one path: %s', (one, other, overlap) => {
  expect([globsOverlap(one, other), globsOverlap(other, one)]).toEqual([overlap, overlap]);
});

test.each<[string, readonly string[]]>([
  ['CI=1 NODE_ENV=test LC_ALL=C TZ=UTC FORCE_COLOR=1 npm test', []],
  ['PATH=./x; ls', ['PATH']],
  ['export GIT_DIR=x; ls', ['GIT_DIR']],
  ['printf -v PATH x; ls', ['PATH']],
  ['printf -vPATH x; ls', ['PATH']],
  ['read -r PATH HOME <<< x; ls', ['PATH', 'HOME']],
  ['mapfile -t PATH < x; ls', ['PATH']],
  ['for PATH in x; do ls; done', ['PATH']],
  ['for f in x; do ls; done', []],
  ['declare -n r=PATH; r=x', ['PATH']],
  ['unset PATH; ls', ['PATH']],
])('[S4] %s changes %j', (line, names) => {
  const parsed = parseCommand(line);
  expect(parsed.type === 'parsed' && environmentChanges(parsed.segments).map(({ name }) => name)).toEqual(names);
});

test.each<[string, string | undefined]>([
  ['.git/config', '.git'],
  ['a/.GIT/hooks/x', '.GIT'],
  ['.cargo/config.toml', '.cargo'],
  ['.cargo/registry/x', undefined],
  ['.yarnrc.yml', '.yarnrc.yml'],
  ['docs/agents.md', 'agents.md'],
  ['.github/workflows/ci.yml', '.github'],
  ['.github/ISSUE_TEMPLATE.md', undefined],
  ['.gitignore', undefined],
  ['src/git/index.ts', undefined],
])('[S7] the protected name in %s is %s', (file, name) => {
  expect(protectedNameIn(file)?.name).toBe(name);
});
