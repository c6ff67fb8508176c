// With the official SDK, registered as users do.
import { SpanStatusCode, trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, expect, test } from 'vitest';

import { createTestingModel } from '../../models/testing-model.ts';
import type { Model } from '../../ports/model.ts';
import { createRondo } from '../../rondo.ts';
import { testTool } from '../../testing/test-tool.ts';
import { testingAgent } from '../../testing/testing-agent.ts';

interface Ended {
  readonly name: string;
  readonly parent: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  readonly ms: number;
}

/** Registers an SDK that keeps its spans. */
function keepingSpans(): () => readonly Ended[] {
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  return () => {
    const spans = exporter.getFinishedSpans();
    const names = new Map(spans.map((span) => [span.spanContext().spanId, span.name]));
    return spans.map(({ name, parentSpanContext, attributes, status, duration: [seconds, nanos] }) => ({
      name,
      parent: parentSpanContext && names.get(parentSpanContext.spanId),
      attributes,
      isError: status.code === SpanStatusCode.ERROR,
      ms: seconds * 1000 + nanos / 1e6,
    }));
  };
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
  const spans = keepingSpans();
  const session = await talk('call look {"what":"SECRET"}\ncall trip {}\nsay SECRET');
  await until(() => spans().some(({ name }) => name === 'invoke_agent testing'));
  const ended = spans();
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
    'gen_ai.response.finish_reasons': ['stop'],
  });
  expect(inside.find(({ name }) => name === 'execute_tool look')).toMatchObject({
    isError: false,
    attributes: {
      'gen_ai.tool.name': 'look',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': expect.any(String) as string,
    },
  });
  expect(inside.find(({ name }) => name === 'execute_tool trip')).toMatchObject({
    isError: true,
    attributes: { 'error.type': 'fell' },
  });
  expect(ended.every(({ ms }) => ms >= 0)).toBe(true);
  expect(JSON.stringify(ended)).not.toContain('SECRET');
});

test('[C26] a turn that fails is an error that names its kind', async () => {
  const spans = keepingSpans();
  await talk('fail');
  await until(() => spans().some(({ name }) => name === 'invoke_agent testing'));
  const ended = spans();
  expect(ended.at(-1)).toMatchObject({ isError: true, attributes: { 'rondo.turn.outcome': 'failed' } });
  expect(ended.at(0)).toMatchObject({ name: 'chat testing', isError: true });
});

test('[C26] cached input and reasoning are counted as parts of what a model call used', async () => {
  const spans = keepingSpans();
  const usage = { inputTokens: 50, outputTokens: 20, cachedTokens: 40, reasoningTokens: 15 };
  const model: Model = {
    name: 'thinker',
    call: async () => ({ type: 'completed', text: 'hi', calls: [], stop: 'end', usage }),
  };
  await using rondo = await createRondo({ ...testingAgent(), models: { thinker: model } });
  const session = await rondo.sessions.create({ agent: 'testing', model: 'thinker' });
  await session.chat('say hello');
  await until(() => spans().some(({ name }) => name === 'invoke_agent testing'));
  const used = Object.entries(spans().find(({ name }) => name.startsWith('chat'))?.attributes ?? {});
  expect(Object.fromEntries(used.filter(([name]) => name.startsWith('gen_ai.usage.')))).toEqual({
    'gen_ai.usage.input_tokens': 50,
    'gen_ai.usage.output_tokens': 20,
    'gen_ai.usage.cache_read.input_tokens': 40,
    'gen_ai.usage.reasoning.output_tokens': 15,
  });
});

test('[C26] a model call names the provider and the model behind an alias', async () => {
  const spans = keepingSpans();
  const model = { ...createTestingModel(), name: 'work/gemini-3', provider: 'gcp.gemini' };
  await using rondo = await createRondo({ ...testingAgent(), models: { quick: model } });
  const session = await rondo.sessions.create({ agent: 'testing', model: 'quick' });
  await session.chat('say hello');
  await until(() => spans().some(({ name }) => name === 'invoke_agent testing'));
  expect(spans().find(({ name }) => name.startsWith('chat'))).toMatchObject({
    name: 'chat gemini-3',
    attributes: { 'gen_ai.request.model': 'gemini-3', 'gen_ai.provider.name': 'gcp.gemini' },
  });
});
