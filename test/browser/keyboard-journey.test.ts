// From the first visit to a merge without a mouse, and what a person sees who needs larger or fewer things.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { beginRepository } from '../fixtures/begin-repository.ts';
import { violationsIn } from './axe.ts';
import { go, phone, setStage } from './stage.ts';

const stage = setStage({ files: { 'README.md': '# Shop\n' } });

test('[C95] by keyboard alone, from the first visit to the merge, and the focus never falls to the page', async () => {
  const git = beginRepository(stage.app.project);
  let replies = 0;
  stage.app.provider.respond(() => {
    replies += 1;
    const write = { name: 'write', args: { path: 'greeting.txt', content: 'Hello\n' } };
    return replies === 1 ? { text: 'I add it.', calls: [write] } : { text: 'Added.' };
  });

  const page = await stage.open();
  await page.keyboard.press('c');
  await page.getByLabel('Describe a task').waitFor();
  await page.keyboard.type('Add a greeting');
  await tabTo(page, 'Current branch');
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Separate worktree' }).waitFor();
  await tabTo(page, 'Start session', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Add a greeting' }).waitFor();
  await page.getByRole('group', { name: /^Question: Writes greeting/ }).waitFor();
  await keepsFocus(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await page.getByRole('heading', { name: 'Inbox', exact: true }).waitFor();
  await page.getByRole('group', { name: /^Question: Writes greeting/ }).waitFor();
  // Keys allow nothing until the card shows what they would allow.
  await page.getByRole('button', { name: 'Allow once' }).click({ trial: true });
  await page.keyboard.press('y');
  await page.getByText('No open requests').first().waitFor();
  await keepsFocus(page);
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await page.getByText('Added.', { exact: false }).first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('log').getByText('Added.', { exact: true }).waitFor();
  await keepsFocus(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('changes of');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Changes to greeting.txt' }).waitFor();
  await keepsFocus(page);
  await tabTo(page, 'Commit message');
  await page.keyboard.type('Add a greeting');
  await page.keyboard.press('Control+Enter');
  await page.getByText('1 commit ahead').waitFor();
  await keepsFocus(page);
  await expect.poll(() => page.getByRole('button', { name: /^Merge/ }).isEnabled()).toBe(true);
  await tabTo(page, 'Merge into main');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /^Merged into main/ }).waitFor();
  await keepsFocus(page);
  expect(git('show', 'main:greeting.txt')).toBe('Hello\n');
});

test('[C95] 21 questions fit a list, and what people and agents write picks its own direction', async () => {
  const sessions = await Promise.all(
    Array.from({ length: 21 }, (_, index) => stage.app.create({ agent: 'testing', title: `سؤال ${index}` })),
  );
  for (const session of sessions)
    await stage.app.chat(
      session,
      `call ask_user ${JSON.stringify({ question: 'Which store?', options: ['SQLite', 'PostgreSQL'] })}`,
    );
  const page = await stage.open('/inbox');
  await expect.poll(() => page.locator('[data-request]').count()).toBeGreaterThanOrEqual(21);
  const height = await page
    .getByRole('list', { name: 'Requests' })
    .evaluate((list) => list.getBoundingClientRect().height);
  expect(height).toBeLessThan(25 * 60);
  expect(await page.locator('[data-request]:not([dir=auto])').count()).toBe(0);
  await go(page, '/');
  await page.locator('[data-row]').first().waitFor();
  expect(await page.locator('[data-row]:not([dir=auto])').count()).toBe(0);
});

test('[C95] the colors of two hues are chosen in settings, survive a reload and pass axe', async () => {
  const page = await stage.open('/settings/appearance');
  const red = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--fail'));
  const before = await red();
  await page.getByRole('checkbox', { name: /Two hues/ }).check();
  expect(await red()).not.toBe(before);
  await page.reload();
  await page.getByRole('checkbox', { name: /Two hues/ }).waitFor();
  expect(await page.evaluate(() => document.documentElement.dataset['palette'])).toBe('safe');
  for (const place of ['/settings/appearance', '/', '/inbox', '/usage']) {
    await go(page, place);
    await page.locator('#main h1').first().waitFor();
    expect({ place, found: await violationsIn(page) }).toEqual({ place, found: [] });
  }
});

test('[C95] on a phone, a tapped message shows no second line over the time of its turn', async () => {
  const session = await stage.app.create({ agent: 'testing', title: 'Tapped' });
  await stage.app.chat(session, 'say short');
  const page = await stage.open(`/s/${session}`, { viewport: phone, hasTouch: true, isMobile: true });
  const message = page.getByRole('log').getByRole('article', { name: /said$/ }).last();
  await message.tap();
  await page.getByRole('log').getByRole('button', { name: 'Fork this point' }).last().waitFor();
  expect(await message.locator('footer > span').first().isVisible()).toBe(false);
});

/** Presses Tab until the control with this name has the focus. */
async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  const names: string[] = [];
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press(key);
    const found = await page.evaluate(() => {
      const at = document.activeElement;
      const label = at instanceof HTMLTextAreaElement ? at.labels[0]?.textContent : undefined;
      return (at?.getAttribute('aria-label') ?? label ?? at?.textContent ?? '').trim();
    });
    if (found.startsWith(name)) return;
    names.push(found.slice(0, 20));
  }
  throw new Error(`Tab never reached ${name}, only ${names.join(', ')}.`);
}

async function keepsFocus(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
}
