// [S12] No cookie authorizes: what the browser holds after sign-in, and what a server on another port can get of
// it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, test } from 'vitest';

import { setStage } from './stage.ts';

const stage = setStage({});

test('[S12] a signed-in browser holds no cookie, and a server on another port is sent nothing that lets it in', async () => {
  const page = await stage.open('/');
  expect(await page.context().cookies()).toEqual([]);
  const received: string[] = [];
  const other = createServer((request, response) => {
    received.push(JSON.stringify(request.headers));
    response.setHeader('content-type', 'text/html');
    response.end('<title>other</title>');
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  try {
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    expect(received.length).toBeGreaterThan(0);
    expect(received.filter((headers) => /cookie|authorization|rondo_/i.test(headers))).toEqual([]);
    // The key is stored under the exact origin: the same host on another port has none.
    expect(await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).toEqual([]);
  } finally {
    other.closeAllConnections();
    other.close();
  }
});

test('[S12] the key cannot be read out, and it signs in again after a reload', async () => {
  const page = await stage.open('/');
  const found = await page.evaluate(async () => {
    const opened = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('rondo', 1);
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error));
    });
    const device = await new Promise<{ privateKey: CryptoKey }>((resolve) => {
      const request = opened.transaction('device').objectStore('device').get('device');
      request.addEventListener('success', () => resolve(request.result as { privateKey: CryptoKey }));
    });
    const read = await crypto.subtle.exportKey('jwk', device.privateKey).then(
      () => 'read out',
      () => 'refused',
    );
    return { extractable: device.privateKey.extractable, read };
  });
  expect(found).toEqual({ extractable: false, read: 'refused' });
  await page.reload();
  await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor();
});

test('[S12] a browser that was revoked is asked to sign in again', async () => {
  const page = await stage.open('/');
  const { tokens } = await stage.app.call<{ tokens: readonly { id: string; kind: string }[] }>('GET', '/tokens');
  for (const { id, kind } of tokens) if (kind === 'device') await stage.app.call('DELETE', `/tokens/${id}`);
  await page.reload();
  const asked = page.getByRole('heading', { name: 'Sign in to Rondo' });
  await asked.waitFor();
  expect(await asked.count()).toBe(1);
});
