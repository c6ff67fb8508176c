import { statSync } from 'node:fs';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { openSqliteStore } from './sqlite-store.ts';

test('[S3] a store and the folders made for it belong to its user alone', async () => {
  await using place = await temporaryFolder();
  const file = place.at('new/folder/store.db');
  await using _store = await openSqliteStore({ path: file });
  const modeOf = (name: string) => statSync(name).mode & 0o777;
  expect([place.at('new'), place.at('new/folder'), file].map(modeOf)).toEqual([0o700, 0o700, 0o600]);
});
