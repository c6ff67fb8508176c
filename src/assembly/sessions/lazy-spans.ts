import { createSessionSpans, type IdentifyModel, type SessionSpans } from './session-spans.ts';
import { registeredTracer } from './telemetry-global.ts';

/** Records spans once the user has registered an OpenTelemetry SDK, and does nothing before. */
export function lazySpans(version: () => string, identify: IdentifyModel): SessionSpans {
  let spans: SessionSpans | undefined;
  return {
    saw(...seen) {
      if (spans === undefined) {
        const tracer = registeredTracer(version());
        if (tracer === undefined) return;
        spans = createSessionSpans(tracer, identify);
      }
      spans.saw(...seen);
    },
  };
}
