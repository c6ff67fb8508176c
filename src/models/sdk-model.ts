/**
 * A Model on an AI SDK provider. It calls the provider's `doStream` and `doGenerate` directly: the `ai` package
 * would duplicate the kernel's work (loop, tools, retries) and double the load time. The first call loads the
 * provider.
 */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';

import { Fault } from '../kernel/fault.ts';
import type { ModelRequest } from '../ports/model.ts';
import type { ToolSpec } from '../ports/tool.ts';
import type { BareModel, BareRequest, BareResult, BareSink } from './bare-model.ts';
import type { Endpoint } from './endpoint.ts';
import { providerFailure, missingKey } from './errors.ts';
import { toPrompt } from './messages.ts';
import type { Price } from './prices.ts';
import { createReply, type ReplyBuilder } from './reply.ts';
import { estimatedUsage } from './usage.ts';
import { optional } from '../kernel/optional.ts';

export interface ModelSettings {
  readonly maxTokens?: number;
  readonly temperature?: number;
  /** False: never stream. */
  readonly streaming?: boolean;
  readonly reasoning?: NonNullable<LanguageModelV4CallOptions['reasoning']>;
  readonly price?: Price;
  /** The model's context window, if it differs from the assumed one. */
  readonly contextTokens?: number;
}

export interface ProviderOptions {
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly settings: ModelSettings;
  readonly fetch?: typeof globalThis.fetch;
  readonly now: () => number;
}

interface SdkParts {
  readonly load: () => Promise<LanguageModelV4>;
  readonly cacheHint?: SharedV4ProviderOptions;
  readonly options?: (request: ModelRequest) => SharedV4ProviderOptions;
}

export function createSdkModel(options: ProviderOptions, parts: SdkParts): BareModel {
  const { endpoint, model, settings, now } = options;
  const name = `${endpoint.name}/${model}`;
  let loaded: Promise<LanguageModelV4> | undefined;
  const load = () => {
    loaded ??= parts.load();
    loaded.catch(() => (loaded = undefined));
    return loaded;
  };

  return {
    name,
    async call(request, sink, signal) {
      if (signal.aborted) return { type: 'cancelled' };
      const keyless = missingKey({ model: name, endpoint });
      if (keyless !== undefined) return keyless;
      const reply = createReply(sink, signal);
      const cancelled = (): BareResult => ({
        type: 'cancelled',
        usage: estimatedUsage(request, reply.content, settings.price),
      });
      // Aborted on every exit, so that no request outlives its call.
      const wire = new AbortController();
      const aborted = Promise.withResolvers<'aborted'>();
      const stop = () => {
        wire.abort();
        aborted.resolve('aborted');
      };
      signal.addEventListener('abort', stop, { once: true });
      try {
        const work = run(request, { ...options, ...parts, load, reply, sink, signal: wire.signal });
        const result = await Promise.race([work, aborted.promise]);
        return result === 'aborted' || signal.aborted ? cancelled() : result;
      } catch (error) {
        if (error instanceof Fault) throw error;
        if (signal.aborted) return cancelled();
        const failure = providerFailure(error, { model: name, endpoint }, now());
        const usage = reply.begun ? { usage: estimatedUsage(request, reply.content, settings.price) } : {};
        return { ...failure, ...usage, ...(reply.begun && { stage: 'stream' as const }) };
      } finally {
        signal.removeEventListener('abort', stop);
        wire.abort();
      }
    },
  };
}

interface Run extends ProviderOptions, SdkParts {
  readonly reply: ReplyBuilder;
  readonly sink: BareSink;
  readonly signal: AbortSignal;
}

async function run(request: BareRequest, { load, reply, sink, signal, ...options }: Run): Promise<BareResult> {
  const { settings, endpoint, model: modelId } = options;
  const prompt = await toPrompt(request, options.cacheHint);
  const model = await load();
  const call = callOptions(request, prompt, options, signal);
  const finish = { request, price: settings.price, asked: modelId, endpoint: endpoint.name };
  if (request.streaming === false) {
    return reply.whole(await model.doGenerate(call), finish);
  }
  const { stream } = await model.doStream(call);
  const reader = stream.getReader();
  // Wakes a pending read even if the layers below ignore the abort.
  signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined), { once: true });
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    sink.alive?.();
    reply.take(next.value);
  }
  return reply.end(finish);
}

function callOptions(
  request: BareRequest,
  prompt: LanguageModelV4CallOptions['prompt'],
  { settings, options }: Pick<Run, 'settings' | 'options'>,
  signal: AbortSignal,
): LanguageModelV4CallOptions {
  const limits = [request.maxOutputTokens, settings.maxTokens].filter((limit) => limit !== undefined);
  return {
    prompt,
    abortSignal: signal,
    ...(limits.length > 0 && { maxOutputTokens: Math.min(...limits) }),
    ...optional({ temperature: settings.temperature, reasoning: settings.reasoning }),
    ...(request.tools.length > 0 && { tools: request.tools.map(functionTool), toolChoice: { type: 'auto' } }),
    ...(options !== undefined && { providerOptions: options(request) }),
  };
}

function functionTool({ name, description, parameters }: ToolSpec): LanguageModelV4FunctionTool {
  return { type: 'function', name, description, inputSchema: parameters };
}

/** Settings that every provider's SDK takes. */
export function sdkSettings({ endpoint: { baseUrl, headers }, fetch }: ProviderOptions) {
  return {
    ...optional({ baseURL: baseUrl, headers, fetch }),
  };
}
