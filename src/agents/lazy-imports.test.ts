import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from 'vitest';

test('zod and the parsers are loaded only where there is a file to read', async () => {
  const folder = import.meta.dirname;
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const eager: string[] = [];
  for (const name of names) {
    const source = await readFile(path.join(folder, name), 'utf8');
    for (const [, from] of source.matchAll(/^import (?!type )[^;]*?from '([^']+)';$/gm)) {
      if (/^(zod|yaml|@humanwhocodes\/momoa|\.\/config-schema\.ts)$/.test(from ?? ''))
        eager.push(`${name} → ${from}`);
    }
  }
  expect(eager).toEqual(['config-schema.ts → zod']);
});
