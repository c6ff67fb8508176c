import { readFileSync } from 'node:fs';
import path from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { apiReport, publicApi } from '../../scripts/api-report.ts';
import { commandReference } from '../../scripts/command-reference.ts';
import { entryPoints, publicDeclarations, type EntryPoint } from '../../scripts/public-declarations.ts';

const root = path.resolve(import.meta.dirname, '../..');
const entries = Object.keys(entryPoints) as readonly EntryPoint[];
let texts: ReadonlyMap<string, string> = new Map();
beforeAll(() => {
  texts = publicDeclarations();
}, 120_000);

describe.each(entries)('%s', (entry) => {
  test('exports what docs/api says; `node scripts/api.ts` writes it again, CHANGELOG.md tells users', () => {
    const file = path.join(root, 'docs/api', `${entry.replaceAll('/', '-')}.api.md`);
    expect(readFileSync(file, 'utf8')).toBe(apiReport(entry, texts));
  });

  test('says of each thing it exports what it is for', () => {
    const silent = publicApi(entry, texts).exported.filter(({ declared }) => declared.comment === '');
    expect(silent.map(({ name, declared }) => `${name} in src/${declared.file}`)).toEqual([]);
  });
});

test('docs/api/commands.md is what the commands print with --help; `node scripts/api.ts` writes it', async () => {
  expect(readFileSync(path.join(root, 'docs/api/commands.md'), 'utf8')).toBe(await commandReference());
});

test('the entry points are those of package.json', () => {
  const { exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string>>;
  };
  const sources = Object.entries(exports).filter(([, file]) => file.startsWith('./src/'));
  expect(Object.fromEntries(sources)).toEqual(
    Object.fromEntries(entries.map((entry) => [entry.replace(/^rondo/, '.'), `./src/${entryPoints[entry]}`])),
  );
});

test('names a type that a signature uses and no program can name', () => {
  const made = new Map([
    [
      'client/client.d.ts',
      "import type { Hidden } from './hidden.ts';\n/** It. */\nexport declare function it<T>(of: T): Hidden;\n",
    ],
    ['client/hidden.d.ts', 'export interface Hidden {\n    readonly a: 1;\n}\n'],
    ['rondo.d.ts', 'export {};\n'],
  ]);
  expect(publicApi('rondo/client', made).unnamed).toEqual([{ name: 'Hidden', file: 'client/hidden.ts' }]);
});
