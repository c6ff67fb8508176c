import { expect, test } from 'vitest';

import { createFakeClock } from '../testing/fake-clock.ts';
import { contextWindow } from './context-window.ts';
import { createModelPool } from './pool.ts';

const remote = { name: 'anthropic', type: 'anthropic', local: false, keyFrom: '' } as const;

test('[C116] a configured window counts, else the provider has an assumed one and a local server a small one', () => {
  expect(contextWindow(remote, 'claude-sonnet-5-5', undefined)).toBe(200_000);
  const server = { ...remote, type: 'openai-compatible', local: true } as const;
  expect(contextWindow(server, 'qwen3:8b', undefined)).toBe(32_768);
  expect(contextWindow(server, 'qwen3:8b', 8000)).toBe(8000);
});

test('[C116] the window follows the model, not the address: a proxy on this machine serves providers’ models', () => {
  const proxy = { ...remote, type: 'openai-compatible', local: true } as const;
  const windows = [
    'claude-sonnet-5-5',
    'gpt-5.4',
    'gemini-3.8-flash',
    'anthropic/claude-opus-5',
    'gpt-oss:20b',
  ].map((model) => contextWindow(proxy, model, undefined));
  expect(windows).toEqual([200_000, 128_000, 1_000_000, 200_000, 32_768]);
  expect(contextWindow({ ...remote, local: true }, 'claude-sonnet-5-5', undefined)).toBe(200_000);
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
