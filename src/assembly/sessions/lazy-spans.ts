import type { SessionSpans } from './session-spans.ts';

/**
 * Spans where the user has registered an OpenTelemetry SDK, and nothing at all where not: the API is loaded with
 * the first event after that, and what comes while it loads is kept in order.
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

/** Where the API keeps what an SDK registers with it, so that all of its copies find it. */
function isRegistered(): boolean {
  const api = (globalThis as Record<symbol, unknown>)[apiKey];
  return typeof api === 'object' && api !== null && 'trace' in api;
}
