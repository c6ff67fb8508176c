import { describe, expect, it } from 'vitest';

import { createFakeClock } from '../testing/fake-clock.ts';
import { completed, modelRequest, recordingSink } from '../testing/model-samples.ts';
import { createPlaces, withPlaces, type ConcurrencyOptions } from './concurrency.ts';
import type { Lane } from './rate-budget.ts';

/** A model whose calls end on request, named in the order they began. */
function setUp(options: Omit<ConcurrencyOptions, 'clock'>) {
  const clock = createFakeClock({ now: 0 });
  const places = createPlaces({ clock, ...options });
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const settled: string[] = [];
  const call = (name: string, lane: Lane, signal = new AbortController().signal) => {
    const sink = recordingSink();
    const model = withPlaces(
      {
        name: 'fake/model',
        async call() {
          began.push(name);
          await new Promise<void>((resolve) => ends.set(name, resolve));
          return completed(name);
        },
      },
      places,
    );
    const result = model.call(modelRequest({ lane }), sink, signal);
    void result.then(({ type }) => settled.push(`${name} ${type}`));
    return { result, sink };
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await clock.advance(0);
  };
  return { clock, call, end, began, settled };
}

describe('concurrency', () => {
  it('lets five calls run and the sixth wait, with a message [C24]', async () => {
    const { clock, call, end, began } = setUp({ concurrent: 5 });
    for (const name of ['1', '2', '3', '4', '5']) call(name, 'main');
    const sixth = call('6', 'main');
    await clock.advance(0);
    expect(began).toEqual(['1', '2', '3', '4', '5']);
    expect(sixth.sink.heard).toEqual(['status:fake/model: waiting for other calls to its provider']);
    await end('3');
    expect(began).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  it('never lets a flood of workers delay main work [C24]', async () => {
    const { clock, call, end, began } = setUp({ concurrent: 3 });
    for (let index = 1; index <= 10; index += 1) call(`w${index}`, 'worker');
    await clock.advance(0);
    expect(began).toEqual(['w1', 'w2']);
    call('m1', 'main');
    call('m2', 'main');
    await clock.advance(0);
    expect(began).toEqual(['w1', 'w2', 'm1']);
    await end('w1');
    expect(began).toEqual(['w1', 'w2', 'm1', 'm2']);
    await end('m1');
    expect(began).toEqual(['w1', 'w2', 'm1', 'm2', 'w3']);
  });

  it('lets a worker have the only place there is', async () => {
    const { clock, call, began } = setUp({ concurrent: 1 });
    call('w1', 'worker');
    await clock.advance(0);
    expect(began).toEqual(['w1']);
  });

  it('fails a call that waited too long, and says why [C24]', async () => {
    const { clock, call, end, began } = setUp({ concurrent: 1, waitMs: 30_000 });
    call('1', 'main');
    const late = call('2', 'main');
    await clock.advance(30_000);
    expect(await late.result).toEqual({
      type: 'failed',
      code: 'model-unavailable',
      message:
        "fake/model was not called: 1 other calls to its provider left no room for 30 s. Raise the endpoint's limits or run fewer sessions at a time.",
      retryable: true,
      spent: true,
    });
    await end('1');
    expect(began).toEqual(['1']);
    expect(clock.armed).toEqual([]);
  });

  it('is cancelled while it waits, and leaves its place to the next [C19]', async () => {
    const { clock, call, end, began } = setUp({ concurrent: 1 });
    const abort = new AbortController();
    call('1', 'main');
    const second = call('2', 'main', abort.signal);
    call('3', 'main');
    await clock.advance(0);
    abort.abort();
    expect(await second.result).toEqual({ type: 'cancelled' });
    await end('1');
    expect(began).toEqual(['1', '3']);
  });

  it('gives its place back when the call throws', async () => {
    const clock = createFakeClock({ now: 0 });
    const places = createPlaces({ clock, concurrent: 1 });
    const model = withPlaces({ name: 'fake/model', call: () => Promise.reject(new Error('bug')) }, places);
    const signal = new AbortController().signal;
    await expect(model.call(modelRequest(), recordingSink(), signal)).rejects.toThrow('bug');
    expect(places.running).toBe(0);
  });

  it('holds calls to the requests of a minute, workers to their share [C24]', async () => {
    const { clock, call, began, end } = setUp({ requestsPerMinute: 4, workerShare: 0.5 });
    for (const name of ['w1', 'w2', 'w3']) call(name, 'worker');
    await clock.advance(0);
    expect(began).toEqual(['w1', 'w2']);
    await clock.advance(1000);
    for (const name of ['m1', 'm2', 'm3']) call(name, 'main');
    await clock.advance(0);
    expect(began).toEqual(['w1', 'w2', 'm1', 'm2']);
    for (const name of began) await end(name);
    await clock.advance(59_000);
    expect(began).toEqual(['w1', 'w2', 'm1', 'm2', 'm3', 'w3']);
  });
});
