import { expect, test } from 'vitest';

import { createFakeClock } from '../testing/fake-clock.ts';
import { contextWindow } from './context-window.ts';
import { createModelPool } from './pool.ts';

const remote = { name: 'anthropic', type: 'anthropic', local: false, keyFrom: '' } as const;

test('[C116] a configured window counts, else the provider has an assumed one and a local server a small one', () => {
  expect(contextWindow(remote, undefined)).toBe(200_000);
  expect(contextWindow({ ...remote, local: true }, undefined)).toBe(32_768);
  expect(contextWindow({ ...remote, local: true }, 8000)).toBe(8000);
});

test('[C116] a model says its window; a list of models the smallest of theirs', () => {
  const pool = createModelPool({
    env: { ANTHROPIC_API_KEY: 'sk-ant-1234567890' },
    clock: createFakeClock(),
    config: {
      models: {
        small: { endpoint: 'anthropic', model: 'claude', contextTokens: 9000 },
        both: ['anthropic/claude', { endpoint: 'anthropic', model: 'other', contextTokens: 9000 }],
      },
    },
  });
  expect(pool.get('anthropic/claude')).toMatchObject({ contextTokens: 200_000 });
  expect(pool.get('small')).toMatchObject({ contextTokens: 9000 });
  expect(pool.get('both')).toMatchObject({ contextTokens: 9000 });
});
