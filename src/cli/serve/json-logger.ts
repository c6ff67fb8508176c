import type { Logger } from '../../ports/logger.ts';

/** Logs one JSON object per line, for log collectors. */
export function createJsonLogger(write: (line: string) => void, isVerbose: boolean): Logger {
  return {
    log(level, message, fields = {}) {
      if (!isVerbose && (level === 'debug' || level === 'info')) return;
      write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`);
    },
  };
}
