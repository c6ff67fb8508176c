/**
 * The OpenTelemetry SDK that the user has registered, found through the global that all copies of its API share.
 *
 * Rondo doesn't import the API. Its own copy would work only with SDKs of the same version or newer, and its
 * version is the user's choice.
 */

/** The parts of the API that Rondo uses, the same in every 1.x release. */
export interface Tracer {
  startSpan(
    name: string,
    options: { readonly startTime: number; readonly kind?: number; readonly attributes: Attributes },
    context: Context,
  ): TelemetrySpan;
}

export interface TelemetrySpan {
  setAttributes(attributes: Attributes): unknown;
  setStatus(status: { readonly code: number }): unknown;
  updateName(name: string): unknown;
  end(at: number): void;
}

export type Attributes = Readonly<Record<string, string | number | readonly string[]>>;

interface Context {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): Context;
  deleteValue(key: symbol): Context;
}

interface TracerProvider {
  getTracer(name: string, version: string): Tracer;
}

/** Undefined if no SDK is registered. */
export function registeredTracer(version: string): Tracer | undefined {
  const api = (globalThis as Record<symbol, unknown>)[apiKey];
  if (typeof api !== 'object' || api === null || !('trace' in api)) return undefined;
  return (api as { readonly trace: TracerProvider }).trace.getTracer('rondo', version);
}

const apiKey = Symbol.for('opentelemetry.js.api.1');
const spanKey = Symbol.for('OpenTelemetry Context Key SPAN');

export const rootContext: Context = contextWith(new Map());

/** A context in which new spans are children of this one. */
export function childContext(span: TelemetrySpan): Context {
  return rootContext.setValue(spanKey, span);
}

function contextWith(values: ReadonlyMap<symbol, unknown>): Context {
  return {
    getValue: (key) => values.get(key),
    setValue: (key, value) => contextWith(new Map([...values, [key, value]])),
    deleteValue: (key) => contextWith(new Map([...values].filter(([other]) => other !== key))),
  };
}

/** Numbers of the API's enums. */
export const spanKinds = { internal: 0, client: 2 } as const;
export const errorStatus = 2;
