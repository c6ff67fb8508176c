import { globSync, readFileSync } from 'node:fs';
import path from 'node:path/posix';

import { expect, test } from 'vitest';

import { parseArrowTable } from './arrows.ts';

const root = new URL('../../', import.meta.url);
const row = parseArrowTable(readFileSync(new URL('docs/ARCHITECTURE.md', root), 'utf8')).get('web');

test('the web app imports of src/ only what its row in docs/ARCHITECTURE.md names', () => {
  const files = globSync('web/src/**/*.{ts,svelte}', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const broken = files.flatMap((file) => {
    const text = readFileSync(new URL(file, root), 'utf8');
    const specifiers = [
      ...text.matchAll(
        /^\s*(?:import|export|\}) ?(?:.* )?from '([^']+)';|import\('([^']+)'\)|^\s*import '([^']+)'/gm,
      ),
    ].map(([, from, dynamic, bare]) => from ?? dynamic ?? bare ?? '');
    return specifiers.filter((name) => !isAllowed(file, name)).map((name) => `${file}: ${name}`);
  });
  expect(files.length).toBeGreaterThan(50);
  expect(broken).toEqual([]);
});

function isAllowed(file: string, specifier: string): boolean {
  if (row === undefined || row.packages === 'any') return false;
  if (!specifier.startsWith('.')) return row.packages.includes(specifier.split('/')[0] ?? '');
  const target = path.join(path.dirname(file), specifier);
  if (target.startsWith('web/src/')) return true;
  return row.folders.names.some((folder) => target.startsWith(`src/${folder}/`));
}
