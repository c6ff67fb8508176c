import { describe, expect, it } from 'vitest';

import { startFakeProvider, type FakeProvider } from '../../test/fixtures/fake-provider/fake-provider.ts';
import type { Trouble } from '../../test/fixtures/fake-provider/fake-reply.ts';
import type { Model } from '../ports/model.ts';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { modelRequest, recordingSink } from '../testing/model-samples.ts';
import { createModelPool, type ModelPool } from './pool.ts';
import type { ModelsConfig } from './resolve.ts';

const lab = (fake: FakeProvider, more: object = {}): NonNullable<ModelsConfig['endpoints']> => ({
  lab: { type: 'openai-compatible', baseUrl: fake.url, local: false, ...more },
});

function known(pool: ModelPool, reference: string): Model {
  const model = pool.get(reference);
  if ('type' in model) throw new Error(model.message);
  return model;
}

/** Real sockets with a fake clock that advances in small steps during the call. */
async function ask(model: Model, clock: FakeClock, stepMs = 10) {
  const sink = recordingSink();
  const state = { done: false };
  const settled = model
    .call(modelRequest(), sink, new AbortController().signal)
    .finally(() => (state.done = true));
  while (!state.done) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    await clock.advance(stepMs);
  }
  return { result: await settled, heard: sink.heard };
}

const down: Trouble = { type: 'status', status: 503 };

describe('model pool', () => {
  it('gives the same model for the same reference, and those of the schemes', () => {
    const offline: Model = { name: 'offline', call: () => Promise.reject(new Error('not called')) };
    const scripts: string[] = [];
    const pool = createModelPool({
      env: {},
      clock: createFakeClock(),
      schemes: {
        offline: () => offline,
        scripted: (file) => {
          scripts.push(file);
          return offline;
        },
      },
    });
    expect(pool.get('anthropic/claude-sonnet-5')).toBe(pool.get('anthropic/claude-sonnet-5'));
    expect(pool.get('offline')).toBe(offline);
    expect(pool.get('scripted:a/b:c.json')).toBe(offline);
    expect(scripts).toEqual(['a/b:c.json']);
    expect(pool.get('ofline')).toMatchObject({ type: 'unknown', nearest: 'offline' });
  });

  it('retries a provider in trouble and answers [C22]', async () => {
    await using fake = await startFakeProvider({ strict: true });
    fake.reply({ trouble: down }, { trouble: { type: 'reset', when: 'before-headers' } }, { text: 'hi' });
    const clock = createFakeClock();
    const pool = createModelPool({ env: {}, clock, config: { endpoints: lab(fake) } });
    const { result } = await ask(known(pool, 'lab/m'), clock);
    expect(result).toEqual({
      type: 'completed',
      text: 'hi',
      calls: [],
      usage: { inputTokens: 10, outputTokens: 5 },
      stop: 'end',
    });
    expect(fake.requests.length).toBe(3);
  });

  it('asks once for a refused key [C22]', async () => {
    await using fake = await startFakeProvider({ strict: true });
    fake.reply({ trouble: { type: 'status', status: 401 } });
    const clock = createFakeClock();
    const pool = createModelPool({ env: {}, clock, config: { endpoints: lab(fake) } });
    expect((await ask(known(pool, 'lab/m'), clock)).result).toMatchObject({
      type: 'failed',
      code: 'model-auth',
      retryable: false,
    });
    expect(fake.requests.length).toBe(1);
  });

  it('hands a limit with a far reset time to the session: failed, retryable, with the time [C24]', async () => {
    await using fake = await startFakeProvider({ strict: true });
    fake.reply({ trouble: { type: 'status', status: 429, headers: { 'retry-after': '3600' } } });
    const clock = createFakeClock({ now: 0 });
    const pool = createModelPool({ env: {}, clock, config: { endpoints: lab(fake) } });
    const { result } = await ask(known(pool, 'lab/m'), clock, 0);
    expect(result).toMatchObject({
      type: 'failed',
      code: 'model-rate-limited',
      retryable: true,
      retryAt: 3_600_000,
    });
    expect(fake.requests.length).toBe(1);
  });

  it('shares one breaker among the models of an endpoint [C23]', async () => {
    await using fake = await startFakeProvider({ strict: true });
    fake.respond(() => ({ trouble: down }));
    const clock = createFakeClock();
    const pool = createModelPool({ env: {}, clock, config: { endpoints: lab(fake) } });
    await ask(known(pool, 'lab/one'), clock);
    await ask(known(pool, 'lab/two'), clock);
    expect(fake.requests.length).toBe(5);
    const { result } = await ask(known(pool, 'lab/three'), clock);
    expect(result).toMatchObject({
      type: 'failed',
      code: 'model-unavailable',
      retryable: true,
      retryAt: expect.any(Number),
    });
    expect(fake.requests.length).toBe(5);
  });

  it('caps calls to a remote endpoint at five, whatever the model [C24]', async () => {
    await using fake = await startFakeProvider({ strict: true });
    fake.respond(() => ({ text: ['a', 'b'], trouble: { type: 'silence', after: 1 } }));
    const clock = createFakeClock();
    const pool = createModelPool({ env: {}, clock, config: { endpoints: lab(fake) } });
    const abort = new AbortController();
    const calls = Array.from({ length: 6 }, (_, index) =>
      known(pool, `lab/m${index % 2}`).call(modelRequest(), recordingSink(), abort.signal),
    );
    await expect.poll(() => fake.requests.length).toBe(5);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(fake.requests.length).toBe(5);
    abort.abort();
    expect((await Promise.all(calls)).map(({ type }) => type)).toEqual(
      Array.from({ length: 6 }, () => 'cancelled'),
    );
  });

  it('asks for a whole reply when a stream falls silent [C21]', async () => {
    await using fake = await startFakeProvider({ strict: true });
    fake.reply({ text: ['Hello ', 'world'], trouble: { type: 'silence', after: 1 } }, { text: 'Hello world' });
    const clock = createFakeClock();
    const pool = createModelPool({ env: {}, clock, config: { endpoints: lab(fake) } });
    const { result, heard } = await ask(known(pool, 'lab/m'), clock, 5000);
    expect(result).toMatchObject({ type: 'completed', text: 'Hello world' });
    expect(heard).toEqual([
      'text:Hello ',
      'status:lab/m: the stream broke; requesting the whole reply instead',
      'text:world',
    ]);
    expect(fake.requests.map(({ streaming }) => streaming)).toEqual([true, false]);
    expect(await fake.requests[0]?.closed).toBe('broken');
  });

  it('goes down the list when a model is not there, and says which answered', async () => {
    await using fake = await startFakeProvider({ strict: true });
    fake.reply({ trouble: { type: 'status', status: 404 } }, { text: 'hi' });
    const clock = createFakeClock();
    const models = {
      best: [
        { endpoint: 'lab', model: 'gone' },
        { endpoint: 'lab', model: 'here', streaming: false, maxTokens: 7, temperature: 0 },
      ],
    };
    const pool = createModelPool({ env: {}, clock, config: { endpoints: lab(fake), models } });
    const { result, heard } = await ask(known(pool, 'best'), clock);
    expect(result).toMatchObject({ type: 'completed', text: 'hi', model: 'lab/here' });
    expect(heard).toEqual(['status:lab/gone is unavailable; trying lab/here instead', 'text:hi']);
    expect(fake.requests[1]?.body).toMatchObject({ model: 'here', max_tokens: 7, temperature: 0 });
    expect(fake.requests.map(({ streaming }) => streaming)).toEqual([true, false]);
  });

  it('prices what it knows wherever it is asked, gives other models of local servers for nothing, and leaves the rest unknown [C117]', async () => {
    await using fake = await startFakeProvider();
    const clock = createFakeClock();
    const endpoints = { ...lab(fake), here: { type: 'openai-compatible' as const, baseUrl: fake.url } };
    const models = { own: { endpoint: 'lab', model: 'm', price: { input: 1, output: 2 } } };
    const pool = createModelPool({ env: {}, clock, config: { endpoints, models } });
    const costs = [];
    for (const reference of ['lab/gpt-4o', 'here/gpt-4o', 'here/m', 'lab/m', 'own']) {
      const { result } = await ask(known(pool, reference), clock);
      costs.push(result.type === 'completed' ? result.usage.cost : result);
    }
    const priced = (10 * 2.5 + 5 * 10) / 1e6;
    expect(costs).toEqual([priced, priced, 0, undefined, (10 + 5 * 2) / 1e6]);
  });
});
