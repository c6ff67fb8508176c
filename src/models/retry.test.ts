import { describe, expect, it } from 'vitest';

import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import {
  completed,
  modelRequest,
  recordingSink,
  steppedModel,
  unavailable,
  type ModelStep,
} from '../testing/model-samples.ts';
import { withRetry } from './retry.ts';

const start = 1_000_000;

/** Runs to the end and records the time of each call. */
async function run(steps: readonly ((clock: FakeClock) => ModelStep)[]) {
  const clock = createFakeClock({ now: start });
  const calls: number[] = [];
  const model = steppedModel(
    steps.map((step): ModelStep => async (call) => {
      calls.push(clock.now() - start);
      const made = step(clock);
      return typeof made === 'function' ? await made(call) : made;
    }),
  );
  const sink = recordingSink();
  const settled = withRetry(model, { clock }).call(modelRequest(), sink, new AbortController().signal);
  await clock.advance(60_000);
  return { result: await settled, calls, heard: sink.heard };
}

describe('retry', () => {
  it('waits 100 ms, 200 ms and 400 ms, reports it, and gives up after three retries [C22]', async () => {
    const down = () => unavailable();
    expect(await run([down, down, down, down])).toEqual({
      result: unavailable({ message: 'down. Tried 4 times.' }),
      calls: [0, 100, 300, 700],
      heard: [
        'status:fake/model failed; retrying in 100 ms (1 of 3)',
        'status:fake/model failed; retrying in 200 ms (2 of 3)',
        'status:fake/model failed; retrying in 400 ms (3 of 3)',
      ],
    });
  });

  it('doubles its pauses up to ten seconds [C22]', async () => {
    const clock = createFakeClock({ now: start });
    const times: number[] = [];
    const model = steppedModel(
      Array.from({ length: 10 }, (): ModelStep => async () => (times.push(clock.now()), unavailable())),
    );
    const settled = withRetry(model, { clock, retries: 9 }).call(
      modelRequest(),
      recordingSink(),
      new AbortController().signal,
    );
    await clock.advance(100_000);
    await settled;
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
  });

  it('gives the reply of the retry that worked [C22]', async () => {
    const { result, calls } = await run([() => unavailable(), () => completed('hi')]);
    expect({ result, calls }).toEqual({ result: completed('hi'), calls: [0, 100] });
  });

  it.each(['model-auth', 'model-invalid', 'model-unavailable'] as const)(
    'calls once where trying again is no use: %s [C22]',
    async (code) => {
      const failure = unavailable({ code, retryable: false });
      const { result, calls } = await run([() => failure]);
      expect({ result, calls }).toEqual({ result: failure, calls: [0] });
    },
  );

  it('tries a timeout again [C22]', async () => {
    const { result, calls } = await run([() => ({ type: 'timed-out', message: 'slow' }), () => completed('hi')]);
    expect({ result, calls }).toEqual({ result: completed('hi'), calls: [0, 100] });
  });

  it('waits as long as the provider asks, where that is ten seconds or less [C22]', async () => {
    const limited = (clock: FakeClock) => unavailable({ code: 'model-rate-limited', retryAt: clock.now() + 7000 });
    const { calls, heard } = await run([limited, () => completed('hi')]);
    expect({ calls, heard }).toEqual({
      calls: [0, 7000],
      heard: ['status:fake/model limits the call rate; retrying in 7 s (1 of 3)'],
    });
  });

  it('leaves a longer wait to the session: the failure carries the time [C22] [C24]', async () => {
    const failure = unavailable({ code: 'model-rate-limited', retryAt: start + 3_600_000 });
    const { result, calls } = await run([() => failure]);
    expect({ result, calls }).toEqual({ result: failure, calls: [0] });
  });

  it('never tries again after a delta, nor what has been tried enough [C22]', async () => {
    const afterDelta = await run([
      () =>
        async ({ sink }) => {
          sink.text('Hel');
          return unavailable();
        },
    ]);
    expect({ ...afterDelta, heard: [...afterDelta.heard] }).toEqual({
      result: unavailable(),
      calls: [0],
      heard: ['text:Hel'],
    });
    expect(await run([() => unavailable({ spent: true, stage: 'stream' })])).toEqual({
      result: unavailable(),
      calls: [0],
      heard: [],
    });
  });

  it('is cancelled in its pause [C19]', async () => {
    const clock = createFakeClock({ now: start });
    const abort = new AbortController();
    const settled = withRetry(steppedModel([unavailable()]), { clock }).call(
      modelRequest(),
      recordingSink(),
      abort.signal,
    );
    await clock.advance(50);
    abort.abort();
    expect(await settled).toEqual({ type: 'cancelled' });
    expect(clock.armed).toEqual([]);
  });
});
