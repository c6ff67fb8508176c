import { describe, expect, it } from 'vitest';

import { endpointsFromEnvironment } from './detect.ts';
import { endpointsOf, resolveModel, type ModelsConfig } from './resolve.ts';

const config: ModelsConfig = {
  endpoints: {
    lab: { type: 'openai-compatible', baseUrl: 'http://10.0.0.5:8000', apiKey: 'lab-key' },
    proxy: { type: 'anthropic', baseUrl: 'https://proxy.example/anthropic/' },
  },
  models: {
    fast: { endpoint: 'lab', model: 'qwen3', temperature: 0.2, maxTokens: 500 },
    smart: 'anthropic/claude-opus-5',
    best: ['smart', 'fast', { endpoint: 'openai', model: 'gpt-5' }],
    round: 'trip',
    trip: ['round'],
    lost: { endpoint: 'labb', model: 'x' },
    empty: [],
  },
};
const catalog = {
  endpoints: endpointsOf(config, endpointsFromEnvironment({ ANTHROPIC_API_KEY: 'a-key' })),
  models: config.models ?? {},
  names: ['offline'],
};

function short(reference: string) {
  const resolved = resolveModel(reference, catalog);
  if (resolved.type === 'unknown') return resolved.message;
  return (resolved.type === 'list' ? resolved.models : [resolved])
    .map(({ endpoint, model }) => `${endpoint.name} ${model}`)
    .join(', ');
}

describe('a model reference', () => {
  it.each([
    ['anthropic/claude-sonnet-5', 'anthropic claude-sonnet-5'],
    ['lab/org/model:7b', 'lab org/model:7b'],
    ['ollama/llama3:8b', 'ollama llama3:8b'],
    ['claude-sonnet-5', 'anthropic claude-sonnet-5'],
    ['gpt-5', 'openai gpt-5'],
    ['gemini-2.5-pro', 'google gemini-2.5-pro'],
    ['fast', 'lab qwen3'],
    ['smart', 'anthropic claude-opus-5'],
    ['best', 'anthropic claude-opus-5, lab qwen3, openai gpt-5'],
  ])('%s means %s', (reference, expected) => {
    expect(short(reference)).toBe(expected);
  });

  it('carries the settings of its alias', () => {
    expect(resolveModel('fast', catalog)).toEqual({
      type: 'model',
      endpoint: {
        name: 'lab',
        type: 'openai-compatible',
        baseUrl: 'http://10.0.0.5:8000/v1',
        apiKey: 'lab-key',
        local: true,
        keyFrom: 'apiKey of the endpoint "lab" in the configuration',
      },
      model: 'qwen3',
      settings: { temperature: 0.2, maxTokens: 500 },
    });
  });

  it.each([
    ['fsat', 'Unknown model "fsat". Did you mean "fast"? `rondo models` lists available models.'],
    [
      'anthropc/claude',
      'Unknown model "anthropc/claude". Did you mean "anthropic/claude"? `rondo models` lists available models.',
    ],
    ['ofline', 'Unknown model "ofline". Did you mean "offline"? `rondo models` lists available models.'],
    [
      'zzzzzzzzzz',
      'Unknown model "zzzzzzzzzz". Write it as endpoint/model, for example anthropic/claude-sonnet-5-5. `rondo models` lists available models.',
    ],
    [
      'lost',
      'The model "lost" names the endpoint "labb", which doesn\'t exist. Did you mean "lab"? `rondo models` lists available models.',
    ],
    [
      'round',
      'The model "round" refers to itself. Write it as endpoint/model, for example anthropic/claude-sonnet-5-5. `rondo models` lists available models.',
    ],
    [
      'empty',
      'The list of models "empty" is empty. Write it as endpoint/model, for example anthropic/claude-sonnet-5-5. `rondo models` lists available models.',
    ],
    [
      'toString',
      'Unknown model "toString". Write it as endpoint/model, for example anthropic/claude-sonnet-5-5. `rondo models` lists available models.',
    ],
  ])('%s means nothing, with a message', (reference, message) => {
    expect(short(reference)).toBe(message);
  });

  it('sends a key of the environment to its own provider only', () => {
    expect(catalog.endpoints.get('anthropic')?.apiKey).toBe('a-key');
    expect(catalog.endpoints.get('proxy')).toEqual({
      name: 'proxy',
      type: 'anthropic',
      baseUrl: 'https://proxy.example/anthropic',
      local: false,
      keyFrom: 'apiKey of the endpoint "proxy" in the configuration',
    });
  });
});
