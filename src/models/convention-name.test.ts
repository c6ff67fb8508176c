import { expect, test } from 'vitest';

import { optional } from '../kernel/optional.ts';
import { conventionName } from './convention-name.ts';

test.each([
  ['openai', 'openai', undefined, 'https://api.openai.com/v1', 'openai'],
  ['google', 'google', 'gcp.gemini', 'https://generativelanguage.googleapis.com/v1beta', 'gcp.gemini'],
  ['bedrock', 'bedrock', 'aws.bedrock', undefined, 'aws.bedrock'],
  ['proxy', 'google', 'gcp.gemini', 'http://127.0.0.1:9', 'gcp.gemini'],
  ['ours', 'openai', undefined, 'https://ours.openai.azure.com/openai/v1', 'azure.ai.openai'],
  ['m', 'openai-compatible', undefined, 'https://api.mistral.ai/v1', 'mistral_ai'],
  ['grok', 'openai-compatible', undefined, 'https://api.x.ai/v1', 'x_ai'],
  ['trap', 'openai-compatible', undefined, 'https://mistral.ai.evil.example/v1', 'trap'],
  ['ollama', 'openai-compatible', undefined, 'http://127.0.0.1:11434/v1', 'ollama'],
  ['openrouter', 'openai-compatible', undefined, 'https://openrouter.ai/api/v1', 'openrouter'],
  ['openai', 'openai-compatible', undefined, 'http://127.0.0.1:8000/v1', 'openai-compatible'],
] as const)('[C26] names the provider of endpoint %s of type %s', (name, type, ofWire, baseUrl, expected) => {
  const endpoint = { name, type, local: false, keyFrom: 'a test', ...optional({ baseUrl }) };
  expect(conventionName(endpoint, ofWire)).toBe(expected);
});
