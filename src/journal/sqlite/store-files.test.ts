import { statSync } from 'node:fs';

import { expect, test } from 'vitest';

import type { SessionId } from '../../kernel/ids.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { openSqliteSide } from '../copy/sqlite-side.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { blobFolderOf } from './write-blobs.ts';

test('[S3] a store and the folders made for it belong to its user alone', async () => {
  await using place = await temporaryFolder();
  const file = place.at('new/folder/store.db');
  await using _store = await openSqliteStore({ path: file });
  const modeOf = (name: string) => statSync(name).mode & 0o777;
  expect([place.at('new'), place.at('new/folder'), file].map(modeOf)).toEqual([0o700, 0o700, 0o600]);
});

test('[S3] so does a store that another one is copied to', async () => {
  await using place = await temporaryFolder();
  const file = place.at('new/store.db');
  await using side = openSqliteSide(file);
  await side.blobs.put('x'.repeat(5000));
  const modeOf = (name: string) => statSync(name).mode & 0o777;
  expect([place.at('new'), file, `${file}-wal`, blobFolderOf(file)].map(modeOf)).toEqual([
    0o700, 0o600, 0o600, 0o700,
  ]);
});

test('[O14] closing the store releases everyone who waits for an answer', async () => {
  await using place = await temporaryFolder();
  const store = await openSqliteStore({ path: place.at('store.db') });
  const letter = await store.inbox.put('ses_1' as SessionId, { key: 'k', body: '{}' });
  const answer = store.inbox.answerTo(letter, { timeoutMs: 600_000 });
  await store[Symbol.asyncDispose]();
  expect(await answer).toBeUndefined();
});
