import { expect, test } from 'vitest';

import { configJsonSchema } from './config-schema.ts';

test('[C115] the published schema has exactly the documented keys and allows no others', () => {
  const schema = configJsonSchema() as { properties: object; additionalProperties: unknown };
  expect(Object.keys(schema.properties)).toEqual([
    '$schema',
    'defaultAgent',
    'endpoints',
    'models',
    'agents',
    'prompts',
    'policies',
    'themes',
    'limits',
    'store',
    'server',
    'tools',
    'mcpServers',
    'acpAgents',
    'worktrees',
    'retention',
    'checkpoints',
  ]);
  expect(schema.additionalProperties).toBe(false);
});

test('the published schema is plain JSON', () => {
  const schema = configJsonSchema();
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
});
