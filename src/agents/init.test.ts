import { readFile } from 'node:fs/promises';

import { expect, test } from 'vitest';

import { parseConfig } from './config-file.ts';
import { loadConfig } from './config-layers.ts';
import { firstConfig, writeFirstConfig } from './init.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

test('the generated first configuration is valid', async () => {
  await using place = await temporaryFolder({ 'project/': '' });
  expect(await writeFirstConfig(place.at('project'))).toEqual({
    type: 'written',
    file: place.at('project/rondo.json'),
  });
  const sources = { home: place.at('home'), cwd: place.at('project'), env: {}, trust: 'this-run' } as const;
  const loaded = await loadConfig(sources);
  expect(loaded.type).toBe('loaded');
});

test('the first configuration stays valid with all commented JSON uncommented', async () => {
  const open = firstConfig.replace(/^( +)\/\/ ((?: *)["}].*)$/gm, '$1$2');
  const read = await parseConfig(open, 'rondo.json', { from: { TICKETS_TOKEN: 't' } });
  expect(read.type === 'read' ? Object.keys(read.file.config) : read).toEqual([
    'defaultAgent',
    'endpoints',
    'models',
    'agents',
    'prompts',
    'policies',
    'limits',
    'mcpServers',
  ]);
});

test('a configuration that is there is never overwritten', async () => {
  await using place = await temporaryFolder({ 'a/rondo.json': '{}', 'b/.rondo/config.json': '{}' });
  expect(await writeFirstConfig(place.at('a'))).toEqual({ type: 'exists', file: place.at('a/rondo.json') });
  expect(await readFile(place.at('a/rondo.json'), 'utf8')).toBe('{}');
  expect(await writeFirstConfig(place.at('b'))).toEqual({
    type: 'exists',
    file: place.at('b/.rondo/config.json'),
  });
});
