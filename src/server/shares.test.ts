import { expect, test } from 'vitest';

import { createMemoryFile } from './marks.ts';
import { createShares } from './shares.ts';

test('[C149] a link opens its session until it expires or is revoked, and the file holds no secret', async () => {
  let now = 1000;
  const file = createMemoryFile();
  const shares = createShares(file, () => now);
  const first = await shares.create({ session: 'ses_1', by: 'ada', lifeMs: 100 });
  const second = await shares.create({ session: 'ses_2', by: 'ada', lifeMs: 1000 });
  expect((await shares.find(first.secret))?.session).toBe('ses_1');
  expect(await shares.find('something else')).toBeUndefined();
  expect(JSON.stringify(await file.read())).not.toContain(first.secret);
  expect((await shares.list()).map(({ session }) => session)).toEqual(['ses_2', 'ses_1']);
  expect((await shares.list('ses_1')).map(({ id }) => id)).toEqual([first.record.id]);
  now = 1101;
  expect(await shares.find(first.secret)).toBeUndefined();
  expect(await shares.revoke(second.record.id)).toBe(true);
  expect(await shares.find(second.secret)).toBeUndefined();
  expect([await shares.revoke(second.record.id), await shares.list()]).toEqual([false, []]);
});
