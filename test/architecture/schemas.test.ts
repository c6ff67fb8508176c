import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { parse, print } from '@humanwhocodes/momoa';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';

import { publishedSchemas, schemaToText } from '../../scripts/published-schemas.ts';
import { configSchema } from '../../src/agents/config-schema.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'docs/schemas');
const written = readdirSync(folder).filter((file) => file.endsWith('.json'));
let schemas: ReadonlyMap<string, object> = new Map();
beforeAll(async () => {
  schemas = await publishedSchemas();
}, 60_000);

describe('docs/schemas', () => {
  test('has the schemas there are', () => {
    expect(written.toSorted()).toEqual([...schemas.keys()].toSorted());
  });

  test.each(written)('%s is what the code checks; `node scripts/schemas.ts` writes it again', (file) => {
    expect(readFileSync(path.join(folder, file), 'utf8')).toBe(schemaToText(schemas.get(file) ?? {}));
  });
});

const keys = Object.keys(configSchema.shape);
const examples = globSync(['README.md', 'docs/**/*.md'], { cwd: root }).flatMap((file) =>
  [...readFileSync(path.join(root, file), 'utf8').matchAll(/^```jsonc?\n(.*?)^```/gms)].map(([, text = '']) => ({
    file,
    text,
    value: plain(text),
  })),
);
/** Blocks that are a `rondo.json`; others are editor settings or messages. */
const configs = examples.filter(({ value }) => Object.keys(value).every((key) => keys.includes(key)));

test.each(configs)('an example of $file is a configuration as the published schema has it: $text', ({ value }) => {
  const published = publishedConfig();
  expect(published.safeParse(value).error?.message).toBeUndefined();
  expect(configSchema.safeParse(value).error?.message).toBeUndefined();
});

test('examples are found, and a wrong one is noticed', () => {
  expect(configs.length).toBeGreaterThan(2);
  const published = publishedConfig();
  expect(published.safeParse({ worktrees: { folders: 'x' } }).success).toBe(false);
});

function publishedConfig(): z.ZodType {
  const text = readFileSync(path.join(folder, 'config.json'), 'utf8');
  return z.fromJSONSchema(JSON.parse(text) as Parameters<typeof z.fromJSONSchema>[0]);
}

/** Parses JSON with comments. */
function plain(text: string): object {
  return JSON.parse(print(parse(text, { mode: 'jsonc' }))) as object;
}
