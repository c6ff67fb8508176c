import type { Logger } from '../../ports/logger.ts';

/**
 * Logs one JSON object per line, for log collectors. While the same line repeats, as when the store is away, it is
 * written once a minute, with the number of lines left out.
 */
export function createJsonLogger(
  write: (line: string) => void,
  isVerbose: boolean,
  now: () => number = Date.now,
): Logger {
  const recent = new Map<string, { readonly at: number; leftOut: number }>();
  return {
    log(level, message, fields = {}) {
      if (!isVerbose && (level === 'debug' || level === 'info')) return;
      const key = JSON.stringify([level, message, fields]);
      const last = recent.get(key);
      const at = now();
      if (last !== undefined && at >= last.at && at < last.at + repeatMs) {
        last.leftOut += 1;
        return;
      }
      const repeated = last?.leftOut ?? 0;
      recent.delete(key);
      recent.set(key, { at, leftOut: 0 });
      if (recent.size > mostRecent) recent.delete(recent.keys().next().value ?? key);
      const time = new Date(at).toISOString();
      write(`${JSON.stringify({ time, level, message, ...fields, ...(repeated > 0 && { repeated }) })}\n`);
    },
  };
}

const repeatMs = 60_000;
const mostRecent = 100;
