import { expect, test } from 'vitest';

import type { SessionId } from '../../kernel/ids.ts';
import { createMemoryStore } from '../memory-store.ts';

test('[C82] hosted sessions are loaded in the order of their ids, without those that are over', async () => {
  const { hosted } = createMemoryStore();
  for (const id of ['ses_c', 'ses_a', 'ses_d', 'ses_b']) await hosted.save(id as SessionId, `{"of":"${id}"}`);
  await hosted.save('ses_d' as SessionId, undefined);
  expect(await hosted.load()).toEqual(
    ['ses_a', 'ses_b', 'ses_c'].map((session) => ({ session, body: `{"of":"${session}"}` })),
  );
});
