import { describe, expect, it } from 'vitest';

import {
  completed,
  modelRequest,
  recordingSink,
  steppedModel,
  unavailable,
  type ModelStep,
} from '../testing/model-samples.ts';
import { createFallbackList } from './fallback-list.ts';

async function run(first: ModelStep, second?: ModelStep) {
  const sink = recordingSink();
  const other = steppedModel(second === undefined ? [] : [second], 'b/two');
  const list = createFallbackList([steppedModel([first], 'a/one'), other]);
  const result = await list.call(modelRequest(), sink, new AbortController().signal);
  return { name: list.name, result, heard: sink.heard, asked: other.requests.length };
}

describe('fallback list', () => {
  it('uses the first that can serve', async () => {
    expect(await run(completed('one'))).toEqual({ name: 'a/one', result: completed('one'), heard: [], asked: 0 });
  });

  it.each(['model-unavailable', 'model-rate-limited', 'model-auth'] as const)(
    'asks the next on %s, and says which answered',
    async (code) => {
      expect(await run(unavailable({ code, retryable: false }), completed('two'))).toEqual({
        name: 'a/one',
        result: completed('two', { model: 'b/two' }),
        heard: ['status:a/one is unavailable; trying b/two instead'],
        asked: 1,
      });
    },
  );

  it.each<[string, ModelStep]>([
    ['a request that is invalid', unavailable({ code: 'model-invalid', retryable: false })],
    ['a cancelled call', { type: 'cancelled' }],
  ])('does not pass on %s', async (_name, step) => {
    expect((await run(step)).asked).toBe(0);
  });

  it('does not pass on a call whose reply had begun', async () => {
    const begun = await run(async ({ sink }) => {
      sink.text('Hel');
      return unavailable();
    });
    expect({ result: begun.result, asked: begun.asked }).toEqual({ result: unavailable(), asked: 0 });
  });

  it('names all failures, is worth a retry if one of them is, at the earliest time', async () => {
    const limited = (retryAt: number) =>
      unavailable({ code: 'model-rate-limited', message: `until ${retryAt}.`, retryAt });
    expect((await run(limited(9000), limited(5000))).result).toEqual({
      type: 'failed',
      code: 'model-rate-limited',
      message: 'None of the 2 models answered. until 9000. until 5000.',
      retryable: true,
      retryAt: 5000,
    });
    expect(
      (await run(unavailable({ code: 'model-auth', message: 'no key.', retryable: false }), unavailable())).result,
    ).toEqual({
      type: 'failed',
      code: 'model-unavailable',
      message: 'None of the 2 models answered. no key. down.',
      retryable: true,
    });
  });
});
