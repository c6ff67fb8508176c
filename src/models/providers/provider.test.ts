import { describe, expect, it } from 'vitest';

import { startFakeProvider, type FakeProvider } from '../../../test/fixtures/fake-provider/fake-provider.ts';
import type { FakeReply, Trouble } from '../../../test/fixtures/fake-provider/fake-reply.ts';
import type { BlobHash, CallId } from '../../kernel/ids.ts';
import { modelContract } from '../../testing/contracts/model-contract.ts';
import { modelRequest, recordingSink } from '../../testing/model-samples.ts';
import type { BareModel, BareRequest, BareResult } from '../bare-model.ts';
import type { Endpoint } from '../endpoint.ts';
import type { ModelSettings } from '../sdk-model.ts';
import { createProviderModel } from './all-providers.ts';

const kinds: readonly { readonly type: string; readonly path: string; readonly model: string }[] = [
  { type: 'anthropic', path: '/v1', model: 'claude-sonnet-4-5' },
  { type: 'openai', path: '/v1', model: 'gpt-5' },
  { type: 'openai-compatible', path: '/v1', model: 'llama3' },
  { type: 'google', path: '/v1beta', model: 'gemini-2.5-flash' },
  { type: 'amazon-bedrock', path: '', model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0' },
];
const at = new Date('2026-11-15T12:00:00Z').getTime();

function modelAt(
  fake: FakeProvider,
  { type, path, model }: (typeof kinds)[number],
  settings: ModelSettings = {},
): BareModel {
  const aws =
    type === 'amazon-bedrock'
      ? { aws: { region: 'us-east-1', accessKeyId: 'AKIAFAKE', secretAccessKey: 'secret-secret' } }
      : { apiKey: 'sk-fake-secret-key' };
  const endpoint: Endpoint = {
    name: type,
    type,
    baseUrl: `${fake.url}${path}`,
    local: true,
    keyFrom: 'FAKE_KEY',
    ...aws,
  };
  return createProviderModel({ endpoint, model, settings, now: () => at });
}

async function ask(
  model: BareModel,
  request: Partial<BareRequest> = {},
): Promise<{ result: BareResult; heard: readonly string[] }> {
  const sink = recordingSink();
  const result = await model.call({ ...modelRequest(), ...request }, sink, new AbortController().signal);
  return { result, heard: sink.heard };
}

for (const kind of kinds) {
  modelContract(kind.type, async () => {
    const fake = await startFakeProvider({ strict: true });
    return {
      model: modelAt(fake, kind),
      says: (text, calls = []) =>
        fake.reply({ text, calls: calls.map(({ tool, args }) => ({ name: tool, args })) }),
      hangsAfter: (text) =>
        fake.reply({ text: [...text, 'never'], trouble: { type: 'silence', after: text.length } }),
      fails: () => fake.reply({ trouble: { type: 'status', status: 401 } }),
      [Symbol.asyncDispose]: () => fake.close(),
    };
  });
}

describe.each(kinds)('a model of $type', (kind) => {
  it('streams reasoning and text, and reports cached and reasoning tokens [C19] [C117]', async () => {
    await using fake = await startFakeProvider({ strict: true });
    const usage = {
      input: 100,
      output: 20,
      cached: 40,
      ...(kind.type !== 'anthropic' && kind.type !== 'amazon-bedrock' && { reasoning: 8 }),
    };
    fake.reply({ reasoning: ['Let ', 'me'], text: ['A', 'b'], usage });
    const { result, heard } = await ask(modelAt(fake, kind, { price: { input: 1, output: 10, cached: 0.5 } }));
    expect(heard).toEqual(['reasoning:Let ', 'reasoning:me', 'text:A', 'text:b']);
    expect(result).toEqual({
      type: 'completed',
      text: 'Ab',
      reasoning: 'Let me',
      calls: [],
      usage: {
        inputTokens: 100,
        outputTokens: 20,
        cachedTokens: 40,
        ...('reasoning' in usage && { reasoningTokens: 8 }),
        cost: (60 * 1 + 40 * 0.5 + 20 * 10) / 1_000_000,
      },
      stop: 'end',
      ...(kind.type === 'anthropic' && {
        carry: { reasoning: [{ length: 6, data: { anthropic: { signature: 'ZmFrZQ==' } } }], calls: {} },
      }),
    });
  });

  it('gives the same reply in one piece when asked to [C20]', async () => {
    await using fake = await startFakeProvider({ strict: true });
    fake.reply({ reasoning: 'hm', text: 'Hello there', calls: [{ id: 'c1', name: 'look', args: { path: 'x' } }] });
    const { result, heard } = await ask(modelAt(fake, kind), { streaming: false });
    expect(heard).toEqual(['reasoning:hm', 'text:Hello there']);
    expect(result).toMatchObject({
      type: 'completed',
      text: 'Hello there',
      stop: 'calls',
      calls: [{ tool: 'look', args: '{"path":"x"}' }],
    });
    expect(fake.requests.map(({ streaming }) => streaming)).toEqual([false]);
  });

  it.each([
    ['length', 'length'],
    ['refusal', 'refusal'],
  ] as const)('says why it stopped: %s', async (stop, expected) => {
    await using fake = await startFakeProvider({ strict: true });
    fake.reply({ text: ['Some'], stop });
    expect((await ask(modelAt(fake, kind))).result).toMatchObject({ type: 'completed', stop: expected });
  });

  it('ends the request when it is cancelled, and estimates what was used [C19]', async () => {
    await using fake = await startFakeProvider({ strict: true });
    fake.reply({ text: ['Resuming', 'x'], trouble: { type: 'silence', after: 1 } });
    const abort = new AbortController();
    const sink = recordingSink();
    const settled = modelAt(fake, kind).call(modelRequest(), sink, abort.signal);
    await expect.poll(() => sink.reply).toBe('Resuming');
    abort.abort();
    expect(await settled).toEqual({
      type: 'cancelled',
      usage: { inputTokens: 6, outputTokens: 2, estimated: true },
    });
    expect(await fake.requests[0]?.closed).toBe('broken');
  });

  it.each<[string, Trouble, Partial<BareResult>]>([
    ['401', { type: 'status', status: 401 }, { code: 'model-auth', retryable: false }],
    ['403', { type: 'status', status: 403 }, { code: 'model-auth', retryable: false }],
    ['404', { type: 'status', status: 404 }, { code: 'model-unavailable', retryable: false }],
    ['400', { type: 'status', status: 400 }, { code: 'model-invalid', retryable: false }],
    ['408', { type: 'status', status: 408 }, { code: 'model-unavailable', retryable: true }],
    ['429', { type: 'status', status: 429 }, { code: 'model-rate-limited', retryable: true }],
    [
      '429 with seconds',
      { type: 'status', status: 429, headers: { 'retry-after': '30' } },
      { code: 'model-rate-limited', retryable: true, retryAt: at + 30_000 },
    ],
    [
      '429 with a date',
      { type: 'status', status: 429, headers: { 'retry-after': 'Sun, 15 Nov 2026 12:05:00 GMT' } },
      { code: 'model-rate-limited', retryable: true, retryAt: at + 300_000 },
    ],
    ['500', { type: 'status', status: 500 }, { code: 'model-unavailable', retryable: true }],
    ['503', { type: 'status', status: 503 }, { code: 'model-unavailable', retryable: true }],
    [
      'a reset before the headers',
      { type: 'reset', when: 'before-headers' },
      { code: 'model-unavailable', retryable: true },
    ],
    [
      'a reset after the headers',
      { type: 'reset', when: 'after-headers' },
      { code: 'model-unavailable', retryable: true },
    ],
    ['a cut', { type: 'cut', after: 1 }, { code: 'model-unavailable', retryable: true, stage: 'stream' }],
    [
      'an end too early',
      { type: 'unfinished', after: 1 },
      { code: 'model-unavailable', retryable: true, stage: 'stream' },
    ],
    ['garbage', { type: 'garbage', after: 1 }, { code: 'model-unavailable', retryable: true, stage: 'stream' }],
    [
      'an error event',
      { type: 'error-event', after: 1 },
      { code: 'model-unavailable', retryable: true, stage: 'stream' },
    ],
  ])('makes a failure of %s [C22]', async (_name, trouble, expected) => {
    await using fake = await startFakeProvider({ strict: true });
    fake.reply({ text: ['a', 'b', 'c'], trouble });
    const { result } = await ask(modelAt(fake, kind));
    expect(result).toMatchObject({ type: 'failed', ...expected });
    expect(result.type === 'failed' ? result.retryAt : 0).toBe(
      'retryAt' in expected ? expected.retryAt : undefined,
    );
    expect(JSON.stringify(result)).not.toMatch(/fake-secret|secret-secret/);
  });

  it('sends the whole conversation with tools, results and an image, and gets an answer', async () => {
    await using fake = await startFakeProvider({ strict: true });
    fake.reply({ text: 'Seen.' });
    const image = {
      name: 'dot.png',
      mediaType: 'image/png',
      content: { blob: 'b1' as BlobHash, length: 96, preview: 'iVBO' },
    };
    const { result } = await ask(modelAt(fake, kind), {
      messages: [
        { role: 'user', text: 'Look at this', attachments: [image] },
        { role: 'assistant', text: '', calls: [{ id: 'c|1' as CallId, tool: 'look', args: '{"path":"a"}' }] },
        { role: 'tool', call: 'c|1' as CallId, tool: 'look', outcome: 'error', text: 'no such file' },
        { role: 'notice', text: 'The user interrupted.' },
      ],
      tools: [
        {
          name: 'look',
          description: 'Looks.',
          parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
        },
      ],
      read: async () =>
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
    });
    expect(result).toMatchObject({ type: 'completed', text: 'Seen.' });
    const sent = JSON.stringify(fake.requests[0]?.body);
    for (const part of [
      'You are terse.',
      'Look at this',
      'iVBORw0KGgo',
      'look',
      'no such file',
      '<notice>The user interrupted.</notice>',
    ]) {
      expect(sent).toContain(part);
    }
  });
});

describe('a model of anthropic', () => {
  it('marks the system prompt and the newest message for the cache', async () => {
    await using fake = await startFakeProvider({ strict: true });
    fake.reply({ text: 'ok' } satisfies FakeReply);
    await ask(modelAt(fake, { type: 'anthropic', path: '/v1', model: 'claude-sonnet-4-5' }));
    const { system, messages } = fake.requests[0]?.body ?? {};
    expect({ system, messages }).toEqual({
      system: [{ type: 'text', text: 'You are terse.', cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'hello', cache_control: { type: 'ephemeral' } }] },
      ],
    });
  });
});

describe('a model without a key', () => {
  it('fails and names the variable, without a request [C22]', async () => {
    await using fake = await startFakeProvider({ strict: true });
    const endpoint: Endpoint = {
      name: 'anthropic',
      type: 'anthropic',
      baseUrl: `${fake.url}/v1`,
      local: true,
      keyFrom: 'ANTHROPIC_API_KEY in the environment',
    };
    const { result } = await ask(createProviderModel({ endpoint, model: 'claude', settings: {}, now: () => at }));
    expect(result).toEqual({
      type: 'failed',
      code: 'model-auth',
      message: `anthropic/claude was not called: no key for ${fake.url}. Check the key: ANTHROPIC_API_KEY in the environment.`,
      retryable: false,
    });
    expect(fake.requests).toEqual([]);
  });
});
