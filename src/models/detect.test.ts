import { describe, expect, it } from 'vitest';

import { startFakeProvider } from '../../test/fixtures/fake-provider/fake-provider.ts';
import { detectBestModel, detectModels } from './detect.ts';

/** No server listens there. */
const nowhere = { OLLAMA_HOST: '127.0.0.1:9' };
const none = {
  id: 'offline',
  provider: 'offline',
  why: 'no key in the environment, and no server answers; not a language model',
};
const always = { id: 'offline', provider: 'offline', why: 'always available; not a language model' };

describe('detection', () => {
  it('finds the offline model where there is nothing else', async () => {
    expect(await detectModels({ env: { ...nowhere, ANTHROPIC_API_KEY: ' ' } })).toEqual([none]);
  });

  it('finds providers by their keys, in order, and says why', async () => {
    const env = {
      ...nowhere,
      GOOGLE_API_KEY: 'g',
      OPENAI_API_KEY: 'o',
      ANTHROPIC_API_KEY: 'a',
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'i',
      AWS_SECRET_ACCESS_KEY: 's',
    };
    expect(await detectModels({ env })).toEqual([
      { id: 'anthropic/claude-sonnet-5-5', provider: 'anthropic', why: 'ANTHROPIC_API_KEY is set' },
      { id: 'openai/gpt-6.1-sol', provider: 'openai', why: 'OPENAI_API_KEY is set' },
      { id: 'google/gemini-3.8-flash', provider: 'google', why: 'GOOGLE_API_KEY is set' },
      {
        id: 'amazon-bedrock/eu.anthropic.claude-sonnet-5-5',
        provider: 'amazon-bedrock',
        why: 'AWS credentials and the region eu-west-1 are set',
      },
      always,
    ]);
  });

  it('needs a region and whole credentials for Bedrock', async () => {
    expect(await detectModels({ env: { ...nowhere, AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'i' } })).toEqual([
      none,
    ]);
    expect(
      await detectModels({ env: { ...nowhere, AWS_ACCESS_KEY_ID: 'i', AWS_SECRET_ACCESS_KEY: 's' } }),
    ).toEqual([none]);
  });

  it('asks Ollama which models it has', async () => {
    await using fake = await startFakeProvider({ models: ['llama3:8b', 'qwen3'] });
    expect(await detectModels({ env: { OLLAMA_HOST: fake.url.replace('http://', '') }, probeMs: 2000 })).toEqual([
      { id: 'ollama/llama3:8b', provider: 'ollama', why: `Ollama answers at OLLAMA_HOST, ${fake.url}` },
      { id: 'ollama/qwen3', provider: 'ollama', why: `Ollama answers at OLLAMA_HOST, ${fake.url}` },
      always,
    ]);
  });

  it('treats OPENAI_BASE_URL as a separate server, and lists its models or uses OPENAI_MODEL', async () => {
    await using fake = await startFakeProvider({ models: ['mine'] });
    const env = { ...nowhere, OPENAI_BASE_URL: fake.url, OPENAI_API_KEY: 'k' };
    const provider = 'openai-compatible';
    expect(await detectModels({ env, probeMs: 2000 })).toEqual([
      { id: `${provider}/mine`, provider, why: `served at OPENAI_BASE_URL, ${fake.url}` },
      always,
    ]);
    expect(await detectModels({ env: { ...env, OPENAI_MODEL: 'other' } })).toEqual([
      { id: `${provider}/other`, provider, why: `OPENAI_BASE_URL is ${fake.url}, OPENAI_MODEL names it` },
      always,
    ]);
  });

  it('does not wait for a server that is silent', async () => {
    const silent: typeof fetch = (_url, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('timeout'))));
    const began = performance.now();
    expect(await detectModels({ env: {}, fetch: silent, probeMs: 50 })).toEqual([none]);
    expect(performance.now() - began).toBeLessThan(1000);
  });

  it("doesn't query models if the environment names one", async () => {
    const fetch = () => Promise.reject(new Error('nobody is asked'));
    const server = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_API_KEY: 'o', OPENAI_MODEL: 'local' };
    for (const env of [{ GEMINI_API_KEY: 'g' }, server, { ...server, ANTHROPIC_API_KEY: 'a' }]) {
      let asked = 0;
      const counting = () => {
        asked += 1;
        return fetch();
      };
      expect(await detectBestModel({ env, fetch: counting })).toEqual((await detectModels({ env, fetch }))[0]);
      expect(asked).toBe(0);
    }
  });

  it('asks servers for the best one where the environment does not tell it', async () => {
    await using fake = await startFakeProvider({ models: ['qwen3'] });
    const env = { OLLAMA_HOST: fake.url.replace('http://', '') };
    expect((await detectBestModel({ env, probeMs: 2000 }))?.id).toBe('ollama/qwen3');
    expect(await detectBestModel({ env: nowhere })).toEqual(none);
  });
});

it("names a configured server that doesn't answer when the offline model replaces it", async () => {
  const env = { OPENAI_API_KEY: 'key', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' };
  const refused: typeof globalThis.fetch = () => Promise.reject(new Error('refused'));
  const why = 'nothing answers at OPENAI_BASE_URL, http://127.0.0.1:1; not a language model';
  expect(await detectModels({ env, fetch: refused })).toEqual([{ id: 'offline', provider: 'offline', why }]);
});
