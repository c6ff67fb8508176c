import type { Logger } from '../../ports/logger.ts';

/** One JSON object a line, for whatever collects the logs of services. */
export function createJsonLogger(write: (line: string) => void, isVerbose: boolean): Logger {
  return {
    log(level, message, fields = {}) {
      if (!isVerbose && (level === 'debug' || level === 'info')) return;
      write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`);
    },
  };
}
