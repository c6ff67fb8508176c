import type { SessionSpans } from './session-spans.ts';

/**
 * Records spans if the user has registered an OpenTelemetry SDK, and does nothing otherwise. The API is loaded with
 * the first event after registration. Events that arrive while it loads are kept in order.
 */
export function lazySpans(version: () => string): SessionSpans {
  const waiting: Parameters<SessionSpans['saw']>[] = [];
  let spans: SessionSpans | undefined;
  let isLoading = false;

  async function load(): Promise<void> {
    const [{ trace }, { createSessionSpans }] = await Promise.all([
      import('@opentelemetry/api'),
      import('./session-spans.ts'),
    ]);
    const loaded = createSessionSpans(trace.getTracer('rondo', version()));
    for (const seen of waiting.splice(0)) loaded.saw(...seen);
    spans = loaded;
  }

  return {
    saw(...seen) {
      if (spans !== undefined) return spans.saw(...seen);
      if (!isLoading && !isRegistered()) return;
      waiting.push(seen);
      if (isLoading) return;
      isLoading = true;
      load().catch(() => waiting.splice(0));
    },
  };
}

const apiKey = Symbol.for('opentelemetry.js.api.1');

/** Checks the global that the API uses for a registered SDK, which all copies of the API share. */
function isRegistered(): boolean {
  const api = (globalThis as Record<symbol, unknown>)[apiKey];
  return typeof api === 'object' && api !== null && 'trace' in api;
}
