/**
 * A provider with broken answers: frames cut, doubled, out of order, of the wrong form or the wrong bytes, answers
 * of proxies, streams that are silent and never end. It is a `fetch`, so that it controls every byte that arrives.
 */
import * as fc from 'fast-check';

import { anthropicMessages } from '../fixtures/fake-provider/anthropic-messages.ts';
import { bedrockConverse } from '../fixtures/fake-provider/bedrock-converse.ts';
import { tell, type FakeReply } from '../fixtures/fake-provider/fake-reply.ts';
import { gemini } from '../fixtures/fake-provider/gemini.ts';
import { openaiChat } from '../fixtures/fake-provider/openai-chat.ts';
import { openaiResponses } from '../fixtures/fake-provider/openai-responses.ts';
import type { RequestBody, Wire } from '../fixtures/fake-provider/wire.ts';
import type { EndpointConfig } from '../../src/models/resolve.ts';
import { bends, bent, hostileText, type Bend } from './bad-values.ts';

export interface WireFormat {
  readonly name: Wire['name'];
  readonly endpoint: EndpointConfig;
  readonly model: string;
}

const apiKey = 'sk-not-a-key';
export const wireFormats: readonly WireFormat[] = [
  {
    name: 'openai-chat',
    endpoint: { type: 'openai-compatible', baseUrl: 'http://provider/v1', apiKey },
    model: 'm',
  },
  {
    name: 'openai-responses',
    endpoint: { type: 'openai', baseUrl: 'http://provider/v1', apiKey },
    model: 'gpt-5',
  },
  { name: 'anthropic', endpoint: { type: 'anthropic', baseUrl: 'http://provider/v1', apiKey }, model: 'claude' },
  { name: 'gemini', endpoint: { type: 'google', baseUrl: 'http://provider/v1beta', apiKey }, model: 'gemini-2.5' },
  { name: 'bedrock', endpoint: { type: 'amazon-bedrock', baseUrl: 'http://provider', apiKey }, model: 'claude' },
];
const wires: readonly Wire[] = [openaiChat, openaiResponses, anthropicMessages, gemini, bedrockConverse];

type Damage =
  | { readonly type: 'sound' }
  /** Usually in mid-frame. */
  | { readonly type: 'cut'; readonly at: number }
  | { readonly type: 'bytes'; readonly flips: readonly (readonly [at: number, byte: number])[] }
  | {
      readonly type: 'frames';
      readonly how: 'drop' | 'twice' | 'swap';
      readonly at: number;
      readonly other: number;
    }
  | { readonly type: 'bent'; readonly at: number; readonly changes: readonly Bend[] }
  /** A frame of two million letters. */
  | { readonly type: 'huge'; readonly at: number }
  /** The tool's arguments are invalid JSON. */
  | { readonly type: 'arguments'; readonly text: string }
  /** Nothing more arrives, and no end. */
  | { readonly type: 'silence'; readonly at: number }
  /** The connection stays open and silent. */
  | { readonly type: 'chatter'; readonly at: number }
  | { readonly type: 'answer'; readonly status: number; readonly contentType: string; readonly body: string }
  | { readonly type: 'unreachable' };

const html = '<!doctype html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';
const bodies = [
  html,
  '',
  '{"error":{"message":"overloaded","type":"server_error","code":500}}',
  '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
  '[{"error":{"code":503,"message":"unavailable","status":"UNAVAILABLE"}}]',
  '{"message":null}',
  'null',
  'data: [DONE]\n\n',
  'data: {"error":"x"}\n\n',
  '{',
] as const;

const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.record({ type: fc.constant('cut'), at: fc.nat() }),
  fc.record({
    type: fc.constant('bytes'),
    flips: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 5 }),
  }),
  fc.record({
    type: fc.constant('frames'),
    how: fc.constantFrom('drop', 'twice', 'swap'),
    at: fc.nat(),
    other: fc.nat(),
  }),
  { weight: 3, arbitrary: fc.record({ type: fc.constant('bent'), at: fc.nat(), changes: bends }) },
  fc.record({ type: fc.constant('huge'), at: fc.nat() }),
  fc.record({
    type: fc.constant('arguments'),
    text: fc.oneof(fc.constantFrom('{', '[]', 'null', '"a"', '{"a":'), hostileText),
  }),
  fc.record({ type: fc.constantFrom('silence', 'chatter'), at: fc.nat() }),
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('answer'),
      status: fc.constantFrom(200, 200, 200, 204, 400, 401, 403, 404, 413, 418, 429, 500, 502, 503, 529),
      contentType: fc.constantFrom(
        'text/html',
        'application/json',
        'text/event-stream',
        'application/octet-stream',
      ),
      body: fc.oneof(fc.constantFrom(...bodies), hostileText),
    }),
  },
  fc.record({ type: fc.constant('unreachable') }),
);

export interface BrokenTalk {
  /** Answers to the first requests; later requests get valid replies. */
  readonly damages: readonly Damage[];
  readonly chunk: number;
}

export const brokenTalks: fc.Arbitrary<BrokenTalk> = fc.record({
  damages: fc.array(damage, { minLength: 1, maxLength: 5 }),
  chunk: fc.constantFrom(1, 3, 17, 1000, 1_000_000),
});

export function createBrokenFetch({ damages, chunk }: BrokenTalk): typeof globalThis.fetch {
  let asked = 0;
  return async (target, init) => {
    const url = new URL(target instanceof Request ? target.url : target);
    const body = JSON.parse(init?.body as string) as RequestBody;
    const wire = wires.find((each) => each.match(url, body) !== undefined);
    const request = wire?.match(url, body);
    if (wire === undefined || request === undefined) throw new Error(`Nothing at ${url.pathname}.`);
    const given = damages[asked] ?? { type: 'sound' };
    asked += 1;
    if (given.type === 'unreachable') throw Object.assign(new TypeError('fetch failed'), { code: 'ECONNREFUSED' });
    if (given.type === 'answer') {
      const empty = given.status === 204 || given.status === 304;
      return new Response(empty ? null : given.body, {
        status: given.status,
        headers: { 'content-type': given.contentType },
      });
    }
    const told = tell(replyFor(given, asked), { model: request.model, order: asked });
    const context = { url, body, id: `fake${asked}`, created: 1_700_000_000 };
    const frames = request.streaming
      ? wire.stream(told, context).map(({ bytes }) => Buffer.from(bytes))
      : [Buffer.from(JSON.stringify(wire.whole(told, context)))];
    const contentType = request.streaming ? wire.contentType(url) : 'application/json';
    return new Response(
      streamOf(damaged(frames, given), { given, chunk, ...(init?.signal && { signal: init.signal }) }),
      {
        status: 200,
        headers: { 'content-type': contentType },
      },
    );
  };
}

/** Mostly text and two calls with one id; a valid reply ends the turn. */
function replyFor(given: Damage, order: number): FakeReply {
  if (given.type === 'sound') return { text: `All is well after ${order}.` };
  const args = given.type === 'arguments' ? mark + mark : { path: 'a' };
  return {
    reasoning: 'Let me think.',
    text: 'I shall look at it.',
    calls: [
      { id: 'c1', name: 'look', args },
      { id: 'c1', name: 'look', args: {} },
    ],
  };
}

/** Appears in each half of the arguments, which are sent in two pieces. */
const mark = '@a@';

function damaged(frames: readonly Buffer[], given: Damage): Buffer {
  const whole = Buffer.concat(frames);
  const within = (at: number, length: number) => (length === 0 ? 0 : at % length);
  switch (given.type) {
    case 'cut':
    case 'silence':
    case 'chatter':
      return whole.subarray(0, within(given.at, whole.length));
    case 'bytes':
      for (const [at, byte] of given.flips) whole[within(at, whole.length)] = byte;
      return whole;
    case 'frames': {
      const list = [...frames];
      const [at, other] = [within(given.at, list.length), within(given.other, list.length)];
      const [one = whole, two = whole] = [list[at], list[other]];
      if (given.how === 'drop') list.splice(at, 1);
      else if (given.how === 'twice') list.splice(other, 0, one);
      else [list[at], list[other]] = [two, one];
      return Buffer.concat(list);
    }
    case 'bent': {
      const list = [...frames];
      const at = within(given.at, list.length);
      list[at] = bentFrame(list[at] ?? whole, given.changes);
      return Buffer.concat(list);
    }
    case 'huge': {
      const at = within(given.at, frames.length);
      const filler = Buffer.from(`data: {"huge":"${'x'.repeat(2_000_000)}"}\n\n`);
      return Buffer.concat([...frames.slice(0, at), filler, ...frames.slice(at)]);
    }
    case 'arguments': {
      const escaped = JSON.stringify(given.text).slice(1, -1);
      return Buffer.from(whole.toString('latin1').replaceAll(mark, escaped), 'latin1');
    }
    default:
      return whole;
  }
}

/** Changes the JSON of a frame; frames without JSON are left alone. */
function bentFrame(frame: Buffer, changes: readonly Bend[]): Buffer {
  const text = frame.toString();
  const at = text.indexOf('{');
  if (at === -1) return frame;
  const end = text.lastIndexOf('}') + 1;
  try {
    const value = bent(JSON.parse(text.slice(at, end)) as unknown, changes);
    return Buffer.from(`${text.slice(0, at)}${JSON.stringify(value) ?? ''}${text.slice(end)}`);
  } catch {
    return frame;
  }
}

function streamOf(
  bytes: Buffer,
  { given, chunk, signal }: { readonly given: Damage; readonly chunk: number; readonly signal?: AbortSignal },
): ReadableStream<Uint8Array> {
  // A million one-byte reads would only be slow, so large bodies arrive in socket-sized pieces.
  const size = bytes.length > 100_000 ? Math.max(chunk, 16_384) : chunk;
  let at = 0;
  return new ReadableStream({
    start(controller) {
      signal?.addEventListener('abort', () => controller.error(signal.reason), { once: true });
    },
    async pull(controller) {
      if (at < bytes.length) {
        controller.enqueue(new Uint8Array(bytes.subarray(at, at + size)));
        at += size;
      } else if (given.type === 'silence') await new Promise(() => undefined);
      else if (given.type === 'chatter') {
        await new Promise((resolve) => setTimeout(resolve, 5));
        controller.enqueue(new TextEncoder().encode(': still here\n\n'));
      } else controller.close();
    },
  });
}
