import { expect, test } from 'vitest';

import { createJsonLogger } from './json-logger.ts';

test('writes a repeating line once a minute, and how many were left out', () => {
  const lines: unknown[] = [];
  let at = 0;
  const logger = createJsonLogger(
    (line) => void lines.push(JSON.parse(line)),
    false,
    () => at,
  );
  for (; at <= 61_000; at += 1000) logger.log('error', 'store away', { error: 'ECONNREFUSED' });
  logger.log('error', 'store away', { error: 'starting' });
  logger.log('info', 'only when verbose');
  const line = { level: 'error', message: 'store away', error: 'ECONNREFUSED' };
  expect(lines).toEqual([
    { time: '1970-01-01T00:00:00.000Z', ...line },
    { time: '1970-01-01T00:01:00.000Z', ...line, repeated: 59 },
    { time: '1970-01-01T00:01:02.000Z', ...line, error: 'starting' },
  ]);
});
