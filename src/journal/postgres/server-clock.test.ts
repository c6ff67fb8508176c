import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

const clockInSql =
  /\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\s*\(|\b(?:current|local)_?(?:timestamp|time|date)\b/i;

const stringsIn = (text: string) => text.match(/`[^`]*`|'[^'\n]*'/g) ?? [];

test('[C151] [O5] no statement asks the server for the time: a store whose clock is set, and a standby with another one, change nothing', () => {
  const folder = path.resolve(import.meta.dirname, '..');
  const files = globSync(['postgres/*.ts', 'copy/*.ts'], { cwd: folder }).filter(
    (file) => !file.includes('.test.'),
  );
  const asking = files.flatMap((file) =>
    stringsIn(readFileSync(path.join(folder, file), 'utf8'))
      .filter((text) => clockInSql.test(text))
      .map((text) => `${file}: ${text.slice(0, 100)}`),
  );
  expect([files.length > 30, asking]).toEqual([true, []]);
  expect(
    ['SELECT now()', 'DEFAULT CURRENT_TIMESTAMP', 'clock_timestamp()'].every((sql) => clockInSql.test(sql)),
  ).toBe(true);
});
