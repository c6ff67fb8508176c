// `node scripts/api.ts`: regenerates docs/api: the package's exports and the commands. A test compares it.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { apiReport } from './api-report.ts';
import { commandReference } from './command-reference.ts';
import { entryPoints, publicDeclarations, type EntryPoint } from './public-declarations.ts';
import { scriptOptions } from './script-options.ts';

scriptOptions(
  `node scripts/api.ts\n\nWrites docs/api: the package's exports and the commands. Takes no options.`,
  {},
);
const folder = path.resolve(import.meta.dirname, '../docs/api');
const texts = publicDeclarations();
mkdirSync(folder, { recursive: true });
for (const entry of Object.keys(entryPoints) as EntryPoint[]) {
  writeFileSync(path.join(folder, `${entry.replaceAll('/', '-')}.api.md`), apiReport(entry, texts));
}
writeFileSync(path.join(folder, 'commands.md'), await commandReference());
