import { describe, expect, it } from 'vitest';

import { createFakeClock } from '../testing/fake-clock.ts';
import {
  completed,
  hangs,
  modelRequest,
  recordingSink,
  steppedModel,
  unavailable,
  type ModelStep,
} from '../testing/model-samples.ts';
import { createBreaker, withBreaker } from './breaker.ts';

function setUp(steps: readonly ModelStep[]) {
  const clock = createFakeClock({ now: 0 });
  const breaker = createBreaker(clock);
  const bare = steppedModel(steps);
  const model = withBreaker(bare, breaker, clock);
  const call = (signal = new AbortController().signal) => model.call(modelRequest(), recordingSink(), signal);
  const states = async (count: number) => {
    const seen: string[] = [];
    for (let index = 0; index < count; index += 1) {
      await call();
      seen.push(breaker.state);
    }
    return seen;
  };
  return { clock, breaker, bare, call, states };
}

const down = unavailable();
const broken: ModelStep = async ({ sink }) => {
  sink.text('half');
  return unavailable({ stage: 'stream' });
};

describe('breaker', () => {
  it.each([
    ['calls that fail', down],
    ['streams that break', broken],
    ['calls that time out', { type: 'timed-out', message: 'slow' } as const],
  ])('opens after five %s, tries after 30 s, closes after three successes [C23]', async (_name, failure) => {
    const { clock, breaker, states, bare } = setUp([
      failure,
      failure,
      failure,
      failure,
      failure,
      completed('1'),
      completed('2'),
      completed('3'),
    ]);
    expect(await states(5)).toEqual(['closed', 'closed', 'closed', 'closed', 'open']);
    expect(await states(2)).toEqual(['open', 'open']);
    expect(bare.requests.length).toBe(5);
    await clock.advance(29_999);
    expect(breaker.state).toBe('open');
    await clock.advance(1);
    expect(breaker.state).toBe('half-open');
    expect(await states(3)).toEqual(['half-open', 'half-open', 'closed']);
  });

  it('opens again at the first failure while half open [C23]', async () => {
    const { clock, states } = setUp([down, down, down, down, down, completed('1'), down]);
    await states(5);
    await clock.advance(30_000);
    expect(await states(3)).toEqual(['half-open', 'open', 'open']);
  });

  it('reports when it will ask again, and that an immediate retry is useless [C23]', async () => {
    const { clock, call, states } = setUp([down, down, down, down, down]);
    await states(5);
    await clock.advance(10_000);
    expect(await call()).toEqual({
      type: 'failed',
      code: 'model-unavailable',
      message:
        'fake/model was not called: its provider keeps failing. The next call is possible in 20 s. Last failure: down.',
      retryable: true,
      retryAt: 30_000,
      spent: true,
    });
  });

  it('counts failures in a row only, and only those of the provider [C23]', async () => {
    const refused = unavailable({ code: 'model-auth', retryable: false });
    const limited = unavailable({ code: 'model-rate-limited' });
    const { states } = setUp([down, down, down, down, refused, limited, completed('1'), down, down, down, down]);
    expect(new Set(await states(11))).toEqual(new Set(['closed']));
  });

  it('lets one call at a time through while half open, and another when that one is cancelled [C23]', async () => {
    const { clock, call, states, bare } = setUp([down, down, down, down, down, hangs(), completed('1')]);
    await states(5);
    await clock.advance(30_000);
    const abort = new AbortController();
    const probe = call(abort.signal);
    expect((await call()).type).toBe('failed');
    expect(bare.requests.length).toBe(6);
    abort.abort();
    expect((await probe).type).toBe('cancelled');
    expect((await call()).type).toBe('completed');
  });
});
