// The current text of a file beside the conversation, in a real browser.
import { rmSync } from 'node:fs';
import path from 'node:path';

import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { beginRepository } from '../fixtures/begin-repository.ts';
import { violationsIn } from './axe.ts';
import { go, phone, setStage } from './stage.ts';

const long = Array.from({ length: 1500 }, (_, at) => `export const value${at} = ${at};`);
const stage = setStage({
  files: { 'src/cart.ts': `${long.join('\n')}\n`, 'logo.png': 'a\0b', 'huge.txt': 'x'.repeat(600_000) },
});

beforeAll(() => void beginRepository(stage.app.project));

/** A session that has read some files. */
async function reading(title: string, paths: readonly string[]): Promise<string> {
  const session = await stage.app.create({ agent: 'testing', title });
  const calls = paths.map((one) => `call read ${JSON.stringify({ path: one })}`);
  await stage.app.chat(session, [...calls, 'say read'].join('\n'));
  await expect.poll(async () => (await stage.app.call('GET', `/sessions/${session}`))['lifecycle']).toBe('idle');
  return session;
}

/** Unfolds a call by its group and row, and opens its file with the keyboard. */
async function openFile(page: Page, file: string): Promise<void> {
  const log = page.getByRole('log');
  const link = log.getByRole('button', { name: `Open ${file}` });
  await log.locator('.fold-head').first().waitFor();
  const row = log.locator('.call .fold-head', { hasText: file });
  if (!(await row.isVisible())) await log.getByRole('button', { name: /^Read \d files/ }).click();
  if (!(await link.isVisible())) await row.click();
  await link.focus();
  await page.keyboard.press('Enter');
}

test('[C95] a call opens its file beside the conversation, numbered and coloured, and Escape gives the focus back', async () => {
  const session = await reading('Reads files', ['src/cart.ts', 'logo.png', 'huge.txt']);
  const page = await stage.open(`/s/${session}`, { viewport: { width: 1600, height: 900 } });
  await openFile(page, 'src/cart.ts');
  const pane = page.getByRole('complementary', { name: 'File' });
  await pane.getByText('1,500 lines').waitFor();
  await pane.locator('.code-keyword', { hasText: 'export' }).first().waitFor();
  expect(await pane.locator('tr').nth(2).innerText()).toBe('3\texport const value2 = 2;');
  expect(await pane.locator('tr').count()).toBe(1000);
  expect(await violationsIn(page)).toEqual([]);
  await pane.getByRole('button', { name: 'Show 500 more lines' }).click();
  expect(await pane.locator('tr').count()).toBe(1500);
  await page.keyboard.press('Escape');
  await pane.waitFor({ state: 'detached' });
  expect(await page.locator(':focus').innerText()).toBe('Open src/cart.ts');
  await openFile(page, 'huge.txt');
  await pane.getByText('huge.txt has 586 kB; the limit is 512 kB.').waitFor();
});

test('[C95] on a phone a file is a sheet over the screen', async () => {
  const session = await reading('Reads one', ['src/cart.ts']);
  const page = await stage.open(`/s/${session}`, { viewport: phone });
  await openFile(page, 'src/cart.ts');
  const sheet = page.getByRole('dialog', { name: 'File' });
  await sheet.getByText('1,500 lines').waitFor();
  expect(await violationsIn(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  expect(await page.locator(':focus').innerText()).toBe('Open src/cart.ts');
});

test('[C95] the Changes tab opens the current text of a changed file, and says why one is not shown', async () => {
  const session = await stage.app.create({ agent: 'testing', title: 'Changes one', worktree: true });
  await stage.app.chat(session, 'call write {"path":"notes.md","content":"# Now\\n"}\nsay written');
  const open = async () =>
    (await stage.app.call<{ questions: readonly { id: string }[] }>('GET', `/sessions/${session}/questions`))
      .questions;
  await expect.poll(async () => (await open()).length).toBe(1);
  for (const { id } of await open())
    await stage.app.call('POST', `/questions/${id}/answer`, { choice: 'allow-once' });
  const page = await stage.open('/', { viewport: { width: 1600, height: 900 } });
  await go(page, `/s/${session}/changes`);
  const name = page
    .getByRole('region', { name: 'notes.md', exact: true })
    .getByRole('button', { name: 'notes.md', exact: true });
  await name.click();
  const pane = page.getByRole('complementary', { name: 'File' });
  await pane.getByText('# Now').waitFor();
  expect(await violationsIn(page)).toEqual([]);
  await pane.getByRole('button', { name: 'Close file' }).click();
  expect(await page.locator(':focus').innerText()).toBe('notes.md');
  const { cwd } = await stage.app.call<{ cwd: string }>('GET', `/sessions/${session}`);
  rmSync(path.join(cwd, 'notes.md'));
  await name.click();
  await pane.getByText("notes.md isn't a file in the folder of this session.").waitFor();
});
