import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createWebApp, type WebRequest } from './web-app.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-web-'));
  await mkdir(path.join(folder, 'dist/assets'), { recursive: true });
  await writeFile(path.join(folder, 'secret.txt'), 'not yours');
  await writeFile(path.join(folder, 'dist/index.html'), '<p>the app</p>');
  await writeFile(path.join(folder, 'dist/sw.js'), 'self');
  await writeFile(path.join(folder, 'dist/assets/app-1a2b.js'), `/* ${'long '.repeat(1000)}*/`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const asked = (wanted: string, more: Partial<WebRequest> = {}): WebRequest => ({
  path: wanted,
  accept: '*/*',
  acceptEncoding: 'gzip, br',
  ifNoneMatch: undefined,
  ...more,
});
const find = (request: WebRequest) => createWebApp(path.join(folder, 'dist')).find(request);

test('files with a hash in their name are kept permanently and sent compressed, all others are asked for again', async () => {
  const script = await find(asked('/assets/app-1a2b.js'));
  expect(script).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'gzip',
    },
  });
  expect(script?.body?.length).toBeLessThan(500);
  const worker = await find(asked('/sw.js'));
  expect(worker?.headers['cache-control']).toBe('no-cache');
  const again = await find(asked('/sw.js', { ifNoneMatch: worker?.headers['etag'] }));
  expect(again).toMatchObject({ status: 304, body: null });
});

test('an address of the app gets its page; any other address is not found', async () => {
  const html = { accept: 'text/html,*/*' };
  const page = new TextEncoder().encode('<p>the app</p>');
  expect((await find(asked('/s/ses_1', html)))?.body).toEqual(page);
  expect((await find(asked('/')))?.body).toEqual(page);
  for (const [wanted, more] of [
    ['/api/v1/nothing', html],
    ['/assets/app-gone.js', html],
    ['/s/ses_1', {}],
    ['/../secret.txt', {}],
    ['/..%2fsecret.txt', {}],
    ['/assets/../../secret.txt', {}],
  ] as const)
    expect([wanted, await find(asked(wanted, more))]).toEqual([wanted, undefined]);
});

test('without a bundle the page says how to build it', async () => {
  const answer = await createWebApp(undefined).find(asked('/'));
  expect(new TextDecoder().decode(answer?.body ?? undefined)).toContain('npm run build:web');
});
