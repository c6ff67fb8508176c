// A conversation of 100,000 events in a real browser: opened at its end, read anywhere, searched.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { seedRondo } from '../../bench/open/seed-rondo.ts';
import { setStage } from './stage.ts';

const turns = 11_200;
const oldPrompt = 'Where did we leave the harpsichord?';
let events = 0;
const stage = setStage({
  async prepare(data) {
    const promptOf = (turn: number) => (turn === 5000 ? oldPrompt : undefined);
    ({ events } = await seedRondo({ turns, folder: data, isKilled: false, promptOf }));
  },
});

/** Generous for a busy machine; an idle one needs a tenth of it. */
const longestTaskMs = 1500;

test('[C95] a session of 100,000 events opens at its end, is read anywhere and searched, and stays small', async () => {
  expect(events).toBeGreaterThan(100_000);
  const page = await stage.open();
  await watchTasks(page);
  const log = page.getByRole('log');
  await page.getByRole('main').getByRole('link').first().click();
  await log.getByRole('article', { name: /said$/ }).last().waitFor();
  await expect
    .poll(() => log.evaluate((node) => node.scrollHeight - node.scrollTop - node.clientHeight))
    .toBeLessThan(60);

  // Scrolls up by many pages, as fast as they load.
  let loaded = 0;
  for (let step = 0; step < 12; step += 1) {
    await log.evaluate((node) => (node.scrollTop = 0));
    await expect.poll(() => log.evaluate((node) => node.scrollTop)).toBeGreaterThan(600);
    loaded = await log.evaluate((node) => node.scrollHeight);
  }
  expect(loaded).toBeGreaterThan(20_000);
  expect(await rowsIn(page)).toBeLessThan(80);

  // Jumps to the middle by searching for its text.
  await page.getByRole('button', { name: 'Find in conversation' }).click();
  await page.getByLabel('Words to find').fill('harpsichord');
  await page.getByText('1 found, newest first').waitFor();
  await page.keyboard.press('Enter');
  const prompt = log.getByRole('article', { name: /said$/ }).filter({ hasText: oldPrompt });
  await prompt.waitFor();
  await expect.poll(() => inSight(page, oldPrompt)).toBe(true);
  await log.evaluate((node) => (node.scrollTop = node.scrollHeight));
  await log.getByRole('button', { name: 'Load later messages' }).waitFor();
  expect(await rowsIn(page)).toBeLessThan(80);

  // To the top, and back to the newest.
  await page.getByRole('button', { name: 'Go to start' }).click();
  await expect.poll(() => log.locator('[data-place="0"]').count()).toBe(1);
  await expect.poll(() => log.evaluate((node) => node.scrollTop)).toBeLessThan(400);
  await page.getByRole('button', { name: 'Go to newest' }).click();
  await expect
    .poll(() => log.evaluate((node) => node.scrollHeight - node.scrollTop - node.clientHeight))
    .toBeLessThan(60);
  expect(await log.getByRole('button', { name: 'Load later messages' }).count()).toBe(0);

  const { longest, nodes, megabytes } = await measured(page);
  expect(longest).toBeLessThan(longestTaskMs);
  expect(nodes).toBeLessThan(4000);
  expect(megabytes).toBeLessThan(150);
});

async function watchTasks(page: Page): Promise<void> {
  await page.evaluate(() => {
    const tasks = { longest: 0 };
    Object.assign(globalThis, { tasks });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.longest = Math.max(tasks.longest, duration);
    }).observe({ type: 'longtask' });
  });
}

function measured(page: Page): Promise<{ longest: number; nodes: number; megabytes: number }> {
  return page.evaluate(() => ({
    longest: (globalThis as unknown as { tasks: { longest: number } }).tasks.longest,
    nodes: document.querySelectorAll('*').length,
    megabytes:
      (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize / 1_000_000,
  }));
}

function rowsIn(page: Page): Promise<number> {
  return page.getByRole('log').locator('.row').count();
}

function inSight(page: Page, text: string): Promise<boolean> {
  return page
    .getByRole('log')
    .getByText(text)
    .evaluate((node) => {
      const { top, bottom } = node.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
}
