// `node scripts/schemas.ts`: regenerates docs/schemas, the JSON Schemas of input and output. A test compares them.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { publishedSchemas, schemaToText } from './published-schemas.ts';
import { scriptOptions } from './script-options.ts';

scriptOptions(
  `node scripts/schemas.ts\n\nWrites docs/schemas, the JSON Schemas of what goes in and out. Takes no options.`,
  {},
);
const folder = path.resolve(import.meta.dirname, '../docs/schemas');
const schemas = await publishedSchemas();
mkdirSync(folder, { recursive: true });
for (const file of readdirSync(folder)) {
  if (file.endsWith('.json') && !schemas.has(file)) rmSync(path.join(folder, file));
}
for (const [file, schema] of schemas) writeFileSync(path.join(folder, file), schemaToText(schema));
