/**
 * Gives up on a silent or broken stream and requests the reply once more without streaming. If that fails too, the
 * failure names both.
 *
 * Streamed text stays. If the new reply starts with the same text, it continues there; otherwise it follows after
 * an empty line. So the deltas still add up to the text.
 */
import { optional } from '../kernel/optional.ts';
import type { Clock } from '../ports/clock.ts';
import type { ModelSink } from '../ports/model.ts';
import type { BareModel, BareRequest, BareResult, BareSink } from './bare-model.ts';
import { addUsage } from './usage.ts';
import { spanText } from './wait.ts';

interface StallOptions {
  readonly clock: Clock;
  /** Maximum silence in a stream. */
  readonly silenceMs?: number;
  /** Timeout for a reply without streaming. */
  readonly wholeMs?: number;
  /** False: this model never streams. */
  readonly streaming?: boolean;
}

export function withStallGuard(
  model: BareModel,
  { clock, silenceMs = 60_000, wholeMs = 300_000, streaming = true }: StallOptions,
): BareModel {
  const whole = async (request: BareRequest, sink: ModelSink, signal: AbortSignal): Promise<BareResult> => {
    const within = { clock, ms: wholeMs, what: 'no reply' };
    const result = await callWithin(model, { ...request, streaming: false }, sink, signal, within);
    // The call already waited long enough.
    return result.type === 'timed-out' ? { ...result, spent: true } : result;
  };

  return {
    name: model.name,
    async call(request, sink, signal) {
      if (!streaming || request.streaming === false) return await whole(request, sink, signal);
      const heard = listen(sink);
      const first = await callWithin(model, request, heard, signal, {
        clock,
        ms: silenceMs,
        what: 'nothing more came',
      });
      const broken = brokenBy(first);
      if (broken === undefined || signal.aborted) return first;

      sink.status(`${model.name}: the stream broke; requesting the whole reply instead`);
      const second = await whole(
        request,
        { text: ignore, reasoning: ignore, status: (text) => sink.status(text) },
        signal,
      );
      const usage = addUsage(first.usage, second.usage);
      if (second.type === 'completed') return continued(second, heard, sink, usage);
      if (second.type === 'cancelled') return { ...second, ...optional({ usage }) };
      const again = second.message;
      return {
        type: 'failed',
        code: second.type === 'failed' ? second.code : 'model-unavailable',
        message: `${model.name} failed twice. Streaming: ${broken} Whole reply: ${again}`,
        retryable: second.type === 'timed-out' || second.retryable,
        ...(second.type === 'failed' && second.retryAt !== undefined && { retryAt: second.retryAt }),
        ...optional({ usage }),
        spent: true,
      };
    },
  };
}

/** Aborts a call after a period of silence. For a call without streaming, this is a deadline. */
async function callWithin(
  model: BareModel,
  request: BareRequest,
  sink: ModelSink,
  signal: AbortSignal,
  { clock, ms, what }: { readonly clock: Clock; readonly ms: number; readonly what: string },
): Promise<BareResult> {
  const inner = new AbortController();
  const stop = () => inner.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  let late = false;
  let last = clock.ticks();
  // One timer that is moved when due, instead of one per chunk.
  const check = () => {
    const left = last + ms - clock.ticks();
    if (left > 0) return void (cancel = clock.at(clock.now() + left, check));
    late = true;
    inner.abort();
  };
  let cancel = clock.at(clock.now() + ms, check);
  const touch = () => (last = clock.ticks());
  const forward: BareSink = {
    alive: touch,
    text: (delta) => (touch(), sink.text(delta)),
    reasoning: (delta) => (touch(), sink.reasoning(delta)),
    status: (text) => sink.status(text),
  };
  try {
    const result = await model.call(request, forward, inner.signal);
    if (!late || signal.aborted || result.type === 'completed') return result;
    const usage = result.usage === undefined ? {} : { usage: result.usage };
    return { type: 'timed-out', message: `${model.name}: ${what} for ${spanText(ms)}.`, ...usage };
  } finally {
    cancel();
    signal.removeEventListener('abort', stop);
  }
}

/** A rejection before the stream began isn't a broken stream, and a rate limit within it isn't worked around. */
function brokenBy(result: BareResult): string | undefined {
  if (result.type === 'timed-out') return result.message;
  const broke = result.type === 'failed' && result.stage === 'stream' && result.code === 'model-unavailable';
  return broke ? result.message : undefined;
}

function continued(
  result: Extract<BareResult, { type: 'completed' }>,
  heard: Heard,
  sink: ModelSink,
  usage: BareResult['usage'],
): BareResult {
  const text = join(heard.reply, result.text);
  if (text !== heard.reply) sink.text(text.slice(heard.reply.length));
  const thought = join(heard.thought, result.reasoning ?? '');
  if (thought !== heard.thought) sink.reasoning(thought.slice(heard.thought.length));
  return { ...result, text, ...(thought !== '' && { reasoning: thought }), ...optional({ usage }) };
}

function join(received: string, whole: string): string {
  if (received === '' || whole.startsWith(received)) return whole;
  return whole === '' ? received : `${received}\n\n${whole}`;
}

interface Heard extends ModelSink {
  readonly reply: string;
  readonly thought: string;
}

function listen(sink: ModelSink): Heard {
  let received = '';
  let thought = '';
  return {
    get reply() {
      return received;
    },
    get thought() {
      return thought;
    },
    text(delta) {
      received += delta;
      sink.text(delta);
    },
    reasoning(delta) {
      thought += delta;
      sink.reasoning(delta);
    },
    status: (text) => sink.status(text),
  };
}

function ignore(): void {}
