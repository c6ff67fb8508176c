import { expect, test } from 'vitest';

import { shortModel } from './short-model.ts';

test('[C126] a model is named without its provider only where the name alone means it', () => {
  const ids = ['anthropic/claude-a', 'openai/gpt-6', 'openai/o3', 'google/gemini-3', 'amazon-bedrock/claude-a'];
  expect([...ids, 'openai/llama', 'ollama/qwen3', 'offline'].map(shortModel)).toEqual([
    'claude-a',
    'gpt-6',
    'o3',
    'gemini-3',
    'amazon-bedrock/claude-a',
    'openai/llama',
    'ollama/qwen3',
    'offline',
  ]);
});
