import { describe, expect, it } from 'vitest';

import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import {
  completed,
  hangs,
  modelRequest,
  recordingSink,
  steppedModel,
  unavailable,
  type ModelStep,
} from '../testing/model-samples.ts';
import { withStallGuard } from './stall.ts';

function setUp(
  steps: readonly ModelStep[],
  {
    clock = createFakeClock({ now: 0 }),
    ...options
  }: { readonly clock?: FakeClock; readonly streaming?: boolean } = {},
) {
  const bare = steppedModel(steps);
  const sink = recordingSink();
  const abort = new AbortController();
  const settled = withStallGuard(bare, { clock, ...options }).call(modelRequest(), sink, abort.signal);
  return { clock, bare, sink, abort, settled };
}

const asked = 'status:fake/model: the stream broke; requesting the whole reply instead';

describe('stall guard', () => {
  it('asks once more, in one piece, when nothing came for 60 s [C21]', async () => {
    const { clock, bare, sink, settled } = setUp([hangs(), completed('Hello')]);
    await clock.advance(59_999);
    expect(bare.requests.length).toBe(1);
    await clock.advance(1);
    expect(await settled).toEqual(
      completed('Hello', { usage: { inputTokens: 11, outputTokens: 6, estimated: true } }),
    );
    expect(sink.heard).toEqual([asked, 'text:Hello']);
    expect(bare.requests.map(({ streaming }) => streaming)).toEqual([undefined, false]);
    expect(clock.armed).toEqual([]);
  });

  it('does so as well when the stream breaks [C21]', async () => {
    const { sink, settled } = setUp([unavailable({ stage: 'stream' }), completed('Hello', { reasoning: 'hm' })]);
    expect(await settled).toEqual(completed('Hello', { reasoning: 'hm' }));
    expect(sink.heard).toEqual([asked, 'text:Hello', 'reasoning:hm']);
  });

  it("counts the silence from the newest sign of life, also if it isn't a delta [C21]", async () => {
    const clock = createFakeClock({ now: 0 });
    const pulse: ModelStep = async ({ sink }) => {
      for (const sign of ['text', 'alive', 'reasoning'] as const) {
        await new Promise<void>((resolve) => clock.at(clock.now() + 59_000, resolve));
        if (sign === 'alive') sink.alive?.();
        else sink[sign]('x');
      }
      return completed('x');
    };
    const { bare, settled } = setUp([pulse], { clock });
    await clock.advance(200_000);
    expect(await settled).toEqual(completed('x'));
    expect(bare.requests.length).toBe(1);
  });

  it('continues where the stream broke off, if the whole begins the same [C21]', async () => {
    const { clock, sink, settled } = setUp([hangs('Hel', 'lo '), completed('Hello world')]);
    await clock.advance(60_000);
    expect(await settled).toMatchObject({ type: 'completed', text: 'Hello world' });
    expect(sink.heard).toEqual(['text:Hel', 'text:lo ', asked, 'text:world']);
  });

  it('keeps what was said if it begins otherwise: the deltas stay the text [C21]', async () => {
    const { clock, sink, settled } = setUp([hangs('Well, '), completed('Hello')]);
    await clock.advance(60_000);
    expect(await settled).toMatchObject({ type: 'completed', text: 'Well, \n\nHello' });
    expect(sink.reply).toBe('Well, \n\nHello');
  });

  it('names both failures, and is not to be tried again at once [C21]', async () => {
    const { clock, bare, settled } = setUp([hangs(), unavailable({ message: 'Calling it failed: 500.' })]);
    await clock.advance(60_000);
    expect(await settled).toEqual({
      type: 'failed',
      code: 'model-unavailable',
      message:
        'fake/model failed twice. Streaming: fake/model: nothing more came for 60 s. Whole reply: Calling it failed: 500.',
      retryable: true,
      usage: { inputTokens: 1, outputTokens: 1, estimated: true },
      spent: true,
    });
    expect(bare.requests.length).toBe(2);
  });

  it('gives up a reply in one piece as well, after five minutes [C21]', async () => {
    const { clock, settled } = setUp([hangs(), hangs()]);
    await clock.advance(360_000);
    expect(await settled).toMatchObject({
      type: 'failed',
      message:
        'fake/model failed twice. Streaming: fake/model: nothing more came for 60 s. Whole reply: fake/model: no reply for 300 s.',
    });
  });

  it.each([
    ['a refusal before the stream', unavailable({ code: 'model-auth', retryable: false })],
    ['trouble before the stream, which is tried again elsewhere', unavailable()],
    ['a rate limit in the stream', unavailable({ code: 'model-rate-limited', stage: 'stream' })],
  ])('leaves %s alone [C21]', async (_name, failure) => {
    const { settled, sink } = setUp([failure]);
    expect(await settled).toEqual(failure);
    expect(sink.heard).toEqual([]);
  });

  it('asks a model that does not stream once, with the longer deadline [C20]', async () => {
    const { clock, bare, settled } = setUp([hangs()], { streaming: false });
    await clock.advance(299_999);
    expect(bare.requests.map(({ streaming }) => streaming)).toEqual([false]);
    await clock.advance(1);
    expect(await settled).toMatchObject({ type: 'timed-out', message: 'fake/model: no reply for 300 s.' });
  });

  it.each([0, 60_000])('is cancelled, not retried, when the caller aborts after %i ms [C19]', async (ms) => {
    const { clock, abort, bare, settled } = setUp([hangs('a'), hangs()]);
    await clock.advance(ms);
    abort.abort();
    expect((await settled).type).toBe('cancelled');
    expect(bare.requests.length).toBe(ms === 0 ? 1 : 2);
    expect(clock.armed).toEqual([]);
  });
});
