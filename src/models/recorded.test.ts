import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { startFakeProvider } from '../../test/fixtures/fake-provider/fake-provider.ts';
import type { SessionId } from '../kernel/ids.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { modelRequest, recordingSink } from '../testing/model-samples.ts';
import { createModelPool } from './pool.ts';
import { createRecorder, createReplay, readRecording } from './recorded.ts';

const references = ['openai/gpt-5', 'anthropic/claude-sonnet-5', 'amazon-bedrock/m'];

async function talk(fetch: typeof globalThis.fetch, url: string, text: string, session: string) {
  const env = {
    OPENAI_API_KEY: 'sk-secret-1',
    ANTHROPIC_API_KEY: 'sk-secret-2',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'sk-secret-3',
    AWS_REGION: 'us-east-1',
  };
  const at = (type: 'openai' | 'anthropic' | 'amazon-bedrock') => ({
    type,
    baseUrl: type === 'amazon-bedrock' ? `${url}/aws` : url,
    apiKey: 'sk-secret-1',
  });
  const endpoints = { openai: at('openai'), anthropic: at('anthropic'), 'amazon-bedrock': at('amazon-bedrock') };
  const pool = createModelPool({ env, config: { endpoints }, clock: createFakeClock(), fetch });
  const results = [];
  for (const reference of references) {
    const model = pool.get(reference);
    if ('type' in model) throw new Error(model.message);
    const request = modelRequest({ session: session as SessionId, messages: [{ role: 'user', text }] });
    results.push(await model.call(request, recordingSink(), new AbortController().signal));
  }
  return results;
}

describe('recorded traffic', () => {
  it('replays the same every time, for any session, and contains no secret', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'recorded-'));
    try {
      const file = path.join(folder, 'traffic.json');
      const fake = await startFakeProvider();
      fake.reply({ reasoning: 'hm', text: 'Grüße 🎈', calls: [{ name: 'look', args: { key: 'sk-secret-1' } }] });
      const recorder = createRecorder({ secrets: ['sk-secret-1'] });
      const first = await talk(recorder.fetch, fake.url, 'hello', 'ses_1');
      await recorder.save(file);
      await fake.close();
      expect(await readFile(file, 'utf8')).not.toMatch(/sk-secret|authorization|x-api-key/i);

      const replay = createReplay(await readRecording(file));
      const again = await talk(replay.fetch, fake.url, 'hello', 'ses_2');
      expect(again).toEqual(JSON.parse(JSON.stringify(first).replaceAll('sk-secret-1', '[redacted]')));
      expect(replay.problems()).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('refuses what was not recorded and reports what was not asked for', async () => {
    await using fake = await startFakeProvider();
    const recorder = createRecorder();
    await talk(recorder.fetch, fake.url, 'hello', 'ses_1');
    const replay = createReplay(recorder.recording());
    const results = await talk(replay.fetch, fake.url, 'something else', 'ses_1');
    expect(results.map((result) => (result.type === 'failed' ? result.code : result.type))).toEqual([
      'model-invalid',
      'model-invalid',
      'model-invalid',
    ]);
    const paths = ['/v1/responses', '/v1/messages', '/aws/model/m/converse-stream'];
    expect(replay.problems()).toEqual([
      ...paths.map((at) => `not recorded: POST ${fake.url}${at}`),
      ...paths.map((at) => `not asked for: POST ${fake.url}${at}`),
    ]);
  });
});
