// Faults of the first edition, found in a real browser.
import { expect, test } from 'vitest';

import { setStage } from './stage.ts';

const stage = setStage({});

test('[C95] choosing three files attaches three', async () => {
  const session = await stage.app.create({ title: 'Three files' });
  const page = await stage.open(`/s/${session}`);
  const files = ['a', 'b', 'c'].map((name) => ({
    name: `${name}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from(name),
  }));
  await page.locator('input[type=file]').setInputFiles(files);
  await page.getByText('c.txt').waitFor();
  expect(await page.locator('.attached li').allInnerTexts()).toEqual(['a.txt', 'b.txt', 'c.txt']);
});

test('[C95] the palette ends a session only when that is chosen twice', async () => {
  const session = await stage.app.create({ title: 'Keep me' });
  const page = await stage.open(`/s/${session}`);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill('end this session');
  await page.keyboard.press('Enter');
  await page.getByText('Choose again to end this session permanently').waitFor();
  const state = async () => (await stage.app.call<{ lifecycle: string }>('GET', `/sessions/${session}`)).lifecycle;
  expect(await state()).not.toBe('closed');
  await page.keyboard.press('Enter');
  await expect.poll(state).toBe('closed');
});

test('[S12] a sign-in link pasted into an open tab signs in, and its code leaves the address bar', async () => {
  const page = await stage.open('/');
  const link = new URL(await stage.app.link());
  await page.evaluate((hash) => (location.hash = hash), link.hash);
  await expect.poll(() => new URL(page.url()).hash).toBe('');
  await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor();
});
