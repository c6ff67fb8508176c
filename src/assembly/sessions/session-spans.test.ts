import {
  context,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanOptions,
} from '@opentelemetry/api';
import { afterEach, expect, test } from 'vitest';

import { createRondo } from '../../rondo.ts';
import { testTool } from '../../testing/test-tool.ts';
import { testingAgent } from '../../testing/testing-agent.ts';

interface Ended {
  readonly name: string;
  readonly parent: string | undefined;
  readonly attributes: Attributes;
  readonly isError: boolean;
  readonly ms: number;
}

/** A tracer provider that collects ended spans, in the order they ended. */
function keepingSpans(): readonly Ended[] {
  const ended: Ended[] = [];
  const names = new WeakMap<Span, string>();
  const startSpan = (name: string, options: SpanOptions = {}, given: Context = context.active()): Span => {
    const attributes: Attributes = { ...options.attributes };
    const above = trace.getSpan(given);
    let isError = false;
    const span: Span = {
      spanContext: () => ({ traceId: '1'.repeat(32), spanId: '1'.repeat(16), traceFlags: 1 }),
      setAttribute(key, value) {
        attributes[key] = value;
        return span;
      },
      setAttributes(more) {
        Object.assign(attributes, more);
        return span;
      },
      setStatus({ code }) {
        isError = code === SpanStatusCode.ERROR;
        return span;
      },
      addEvent: () => span,
      addLink: () => span,
      addLinks: () => span,
      updateName: () => span,
      recordException: () => undefined,
      isRecording: () => true,
      end(at) {
        const parent = above && names.get(above);
        ended.push({ name, parent, attributes, isError, ms: Number(at) - Number(options.startTime) });
      },
    };
    names.set(span, name);
    return span;
  };
  const startActiveSpan = () => {
    throw new Error('not used');
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan }) });
  return ended;
}

afterEach(() => trace.disable());

const talk = async (text: string) => {
  const tools = [
    testTool('look', () => 'seen SECRET'),
    testTool('trip', () => ({ type: 'error', code: 'fell', message: 'SECRET' })),
  ];
  await using rondo = await createRondo(testingAgent({ tools, approve: 'all' }));
  const session = await rondo.sessions.create();
  await session.chat(text);
  return session.id;
};

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 2));
}

test('[C26] a turn, its model calls and its tools are spans with the GenAI attributes, and without content', async () => {
  const ended = keepingSpans();
  const session = await talk('call look {"what":"SECRET"}\ncall trip {}\nsay SECRET');
  await until(() => ended.some(({ name }) => name === 'invoke_agent testing'));
  const [turn, ...inside] = ended.toReversed();
  expect(turn).toMatchObject({
    name: 'invoke_agent testing',
    parent: undefined,
    isError: false,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'testing',
      'gen_ai.conversation.id': session,
      'rondo.turn.outcome': 'completed',
    },
  });
  const names = inside.map(({ name, parent, isError }) => ({ name, parent, isError }));
  expect(new Set(names.map(({ parent }) => parent))).toEqual(new Set(['invoke_agent testing']));
  expect(names.toReversed().map(({ name }) => name)).toEqual(
    expect.arrayContaining(['chat testing', 'execute_tool look', 'execute_tool trip']),
  );
  const chat = inside.find(({ name }) => name === 'chat testing');
  expect(chat?.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'testing',
    'gen_ai.provider.name': 'testing',
    'gen_ai.usage.input_tokens': expect.any(Number) as number,
    'gen_ai.usage.output_tokens': expect.any(Number) as number,
    'gen_ai.response.finish_reasons': [expect.any(String) as string],
  });
  expect(inside.find(({ name }) => name === 'execute_tool look')).toMatchObject({
    isError: false,
    attributes: { 'gen_ai.tool.name': 'look', 'gen_ai.tool.call.id': expect.any(String) as string },
  });
  expect(inside.find(({ name }) => name === 'execute_tool trip')).toMatchObject({
    isError: true,
    attributes: { 'error.type': 'fell' },
  });
  expect(ended.every(({ ms }) => ms >= 0)).toBe(true);
  expect(JSON.stringify(ended)).not.toContain('SECRET');
});

test('[C26] a turn that fails is an error that names its kind', async () => {
  const ended = keepingSpans();
  await talk('fail');
  await until(() => ended.some(({ name }) => name === 'invoke_agent testing'));
  expect(ended.at(-1)).toMatchObject({ isError: true, attributes: { 'rondo.turn.outcome': 'failed' } });
  expect(ended.at(0)).toMatchObject({ name: 'chat testing', isError: true });
});
