import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from 'vitest';

import { updatePrivateJson } from '../../agents/private-file.ts';
import { ownIdentity, type ProcessIdentity } from '../../journal/process-identity.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { findServer, forgetServer, noteServer } from './running-server.ts';

/** The identity that a process would record for itself. */
async function identityOf(pid: number): Promise<ProcessIdentity> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  const startedAt = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ownIdentity().startedAt;
  return { ...ownIdentity(), pid, startedAt };
}

test('every server has its own entry, and those of processes that are gone leave', async () => {
  await using home = await temporaryFolder();
  const file = path.join(home.folder, 'server.json');
  const self = ownIdentity();
  const living = { url: 'http://127.0.0.1:1', store: 'a', process: await identityOf(process.ppid) };
  const ended = { url: 'http://127.0.0.1:2', store: 'b', process: { ...self, startedAt: 'long ago' } };
  const rebooted = { url: 'http://127.0.0.1:5', store: 'b', process: { ...self, bootId: 'an earlier one' } };
  const elsewhere = { url: 'http://127.0.0.1:6', store: 'b', process: { ...self, host: 'another' } };
  await updatePrivateJson(file, () => ({ servers: [living, ended, rebooted, elsewhere] }));
  expect(await findServer(home.folder)).toEqual(living);
  expect(await findServer(home.folder, { store: 'b' })).toBeUndefined();

  await noteServer(home.folder, { url: 'http://127.0.0.1:3', store: 'b' });
  const own = { url: 'http://127.0.0.1:3', store: 'b', process: self };
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ servers: [living, elsewhere, own] });
  expect(await findServer(home.folder)).toEqual(own);
  expect(await findServer(home.folder, { store: 'a' })).toEqual(living);
  expect(await findServer(home.folder, { port: 1 })).toEqual(living);
  expect(await findServer(home.folder, { port: 2 })).toBeUndefined();

  await forgetServer(home.folder);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ servers: [living, elsewhere] });
});

test('a note of another form names no server', async () => {
  await using home = await temporaryFolder();
  expect(await findServer(home.folder)).toBeUndefined();
  await updatePrivateJson(path.join(home.folder, 'server.json'), () => ({ url: 'http://127.0.0.1:4', pid: 1 }));
  expect(await findServer(home.folder)).toBeUndefined();
});
