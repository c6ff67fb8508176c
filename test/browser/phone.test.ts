// What differs on a phone: answers with a scope, menus at the edge of the screen, prompts without a network.
import { expect, test } from 'vitest';

import { violationsIn } from './axe.ts';
import { go, phone, setStage } from './stage.ts';

const stage = setStage({ files: { 'a.txt': 'a\n' } });
const touch = { viewport: phone, hasTouch: true, isMobile: true };

test('[C95] on a phone the scope is chosen in a sheet that shows the rule, and Allow saves that rule', async () => {
  const session = await stage.app.create({ agent: 'testing', title: 'Wider' });
  await stage.app.chat(session, 'call write {"path":"b.txt","content":"x"}\nsay done');
  const page = await stage.open('/inbox', touch);
  await page.getByRole('link', { name: /Writes b\.txt/ }).tap();
  expect(await page.getByRole('button', { name: 'Allow this session' }).isVisible()).toBe(false);
  await page.getByRole('button', { name: /^Scope Once/ }).tap();
  const sheet = page.getByRole('dialog', { name: 'Scope' });
  const wider = sheet.getByRole('radio', { name: /^This session/ });
  await wider.tap();
  expect(await sheet.locator('label', { hasText: 'This session' }).innerText()).toContain(
    'until the session ends',
  );
  await sheet.getByRole('button', { name: 'Use scope' }).tap();
  const allow = page.getByRole('button', { name: 'Allow this session' });
  expect((await allow.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await allow.tap();
  await expect
    .poll(async () => (await answers(session)).map(({ answer }) => answer))
    .toMatchObject([{ type: 'allow-session' }]);
});

test('[C95] on a phone a swipe uncovers what can be done with a session, and Deny answers its request', async () => {
  for (const title of ['Before', 'Earlier']) await stage.app.create({ agent: 'testing', title });
  for (const title of ['Before', 'Earlier']) await stage.app.create({ agent: 'testing', title });
  const session = await stage.app.create({ agent: 'testing', title: 'Swiped' });
  await stage.app.chat(session, 'call write {"path":"d.txt","content":"x"}\nsay done');
  const page = await stage.open('/', touch);
  const row = page.getByRole('listitem').filter({ hasText: 'Swiped' });
  await row.getByText('Writes d.txt').waitFor();
  const deny = row.getByRole('button', { name: 'Deny' });
  const isInside = async () => ((await deny.boundingBox())?.x ?? phone.width) < phone.width;
  await expect.poll(() => deny.count()).toBe(1);
  expect(await isInside()).toBe(false);
  const { x = 0, y = 0 } = (await row.boundingBox()) ?? {};
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Input.synthesizeScrollGesture', { x: x + 250, y: y + 20, xDistance: -200, speed: 2000 });
  await expect.poll(isInside).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  // The menu lies above the rows and headings that follow.
  await row.getByRole('button', { name: 'Actions for Swiped' }).tap();
  const entries = page.getByRole('menu', { name: 'Actions for Swiped' }).getByRole('menuitem');
  const areOnTop = await entries.evaluateAll((all) =>
    all.map((entry) => {
      const { x, y, width, height } = entry.getBoundingClientRect();
      return entry.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    }),
  );
  expect(areOnTop).toEqual([true, true]);
  await page.keyboard.press('Escape');
  await deny.tap();
  await expect
    .poll(async () => (await answers(session)).map(({ answer }) => answer))
    .toMatchObject([{ type: 'reject' }]);
});

test('[C156] on a phone every menu of a new session opens inside the screen', async () => {
  const page = await stage.open('/', touch);
  await page.getByRole('button', { name: 'New session' }).tap();
  const dialog = page.getByRole('dialog', { name: 'New session' });
  expect(await dialog.getByLabel('Describe a task').evaluate((field) => field === document.activeElement)).toBe(
    true,
  );
  for (const name of ['Folder', 'Agent', 'Model', 'Mode', 'Budget']) {
    await dialog.getByRole('button', { name: new RegExp(`^${name}:`) }).tap();
    const menu = page.getByRole('menu', { name });
    const { x, y, width, height } = (await menu.boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 };
    expect([name, x >= 0, y >= 0, x + width <= phone.width, y + height <= phone.height]).toEqual([
      name,
      true,
      true,
      true,
      true,
    ]);
    await page.keyboard.press('Escape');
  }
});

test('[P5] a prompt that waits for the server can be cancelled, and its text returns to the field', async () => {
  const session = await stage.app.create({ agent: 'testing', title: 'Second thoughts' });
  const page = await stage.open(`/s/${session}`, touch);
  const field = page.getByLabel('Message to the agent');
  await field.waitFor();
  await stage.app.kill();
  await page.getByText('Not connected', { exact: false }).waitFor();
  await field.fill('say too early');
  await page.keyboard.press('Enter');
  const sending = page.getByRole('article', { name: 'Prompt being sent' });
  await sending.getByRole('button', { name: 'Cancel' }).tap();
  await sending.waitFor({ state: 'detached' });
  expect(await field.inputValue()).toBe('say too early');
  await field.fill('say in time');
  await page.keyboard.press('Enter');
  expect(await sending.getByRole('button', { name: 'Cancel' }).count()).toBe(1);
  await stage.app.start();
  await page.getByRole('log').locator('.markdown', { hasText: 'in time' }).waitFor();
  expect(await page.getByRole('log').getByText('too early').count()).toBe(0);
});

test('[P5] attempts to reconnect move nothing on the page, so that a tap lands where it was aimed', async () => {
  const session = await stage.app.create({ agent: 'testing', title: 'Under the finger' });
  const page = await stage.open(`/s/${session}`, touch);
  await page.getByLabel('Message to the agent').waitFor();
  await page.evaluate(() => {
    const banner = document.querySelector('[data-connection]');
    const seen: [string | null, number][] = [];
    const look = () => {
      const state = banner?.getAttribute('data-connection') ?? null;
      seen.push([state, banner?.getBoundingClientRect().height ?? 0]);
    };
    if (banner !== null)
      new MutationObserver(look).observe(banner, {
        attributes: true,
        childList: true,
        characterData: true,
        subtree: true,
      });
    Object.assign(globalThis, { seen });
  });
  await stage.app.kill();
  const seen = (): Promise<readonly (readonly [string, number])[]> => page.evaluate('seen');
  const attempts = async () => (await seen()).filter(([state], at, all) => state !== all[at - 1]?.[0]).length;
  // Lost, attempt, waiting, attempt, waiting.
  await expect.poll(attempts).toBeGreaterThanOrEqual(5);
  await page.getByText('If the server stopped, rondo serve starts it again.').waitFor();
  const heights = new Set((await seen()).map(([, height]) => height));
  expect([heights.size, heights.has(0)]).toEqual([1, false]);
});

test('[P5] a prompt too large for the socket waits for the server like any other', async () => {
  const session = await stage.app.create({ agent: 'testing', title: 'Heavy' });
  const page = await stage.open(`/s/${session}`, touch);
  await page.getByLabel('Message to the agent').waitFor();
  await stage.app.kill();
  await page.getByText('Not connected', { exact: false }).waitFor();
  const file = { name: 'long.txt', mimeType: 'text/plain', buffer: Buffer.alloc(900_000, 'a') };
  await page.locator('input[type=file]').first().setInputFiles(file);
  await page.getByText('long.txt').first().waitFor();
  await page.getByLabel('Message to the agent').fill('say heavy');
  await page.keyboard.press('Enter');
  const sending = page.getByRole('article', { name: 'Prompt being sent' });
  await sending.waitFor();
  // Longer than any number of quick attempts.
  await page.waitForTimeout(8000);
  expect(await sending.count()).toBe(1);
  await stage.app.start();
  await page.getByRole('log').locator('.markdown', { hasText: 'heavy' }).waitFor();
  expect(await page.getByRole('log').getByRole('article', { name: 'You said' }).count()).toBe(1);
});

test('[C95] axe finds nothing on a phone, with the sheet of scopes and the dialog of a new session open', async () => {
  const session = await stage.app.create({ agent: 'testing', title: 'Looked at' });
  await stage.app.chat(session, 'call write {"path":"c.txt","content":"x"}\nsay done');
  const page = await stage.open('/', { ...touch, colorScheme: 'dark' });
  const found: Record<string, readonly string[]> = {};
  for (const place of ['/', `/s/${session}`, `/s/${session}/changes`, '/inbox', '/usage', '/settings/models']) {
    await go(page, place);
    await page.locator('#main h1').first().waitFor();
    await page.waitForLoadState('networkidle');
    found[place.replace(session, 'ID')] = await violationsIn(page);
  }
  await go(page, '/inbox');
  await page.getByRole('link', { name: /Writes c\.txt/ }).tap();
  await page.getByRole('button', { name: /^Scope Once/ }).tap();
  await page.getByRole('dialog', { name: 'Scope' }).waitFor();
  found['scope'] = await violationsIn(page);
  await page.keyboard.press('Escape');
  await go(page, '/');
  await page.getByRole('button', { name: 'New session' }).tap();
  await page.getByRole('dialog', { name: 'New session' }).waitFor();
  found['new session'] = await violationsIn(page);
  expect(Object.fromEntries(Object.entries(found).filter(([, those]) => those.length > 0))).toEqual({});
  await stage.app.call('DELETE', `/sessions/${session}`);
});

async function answers(session: string): Promise<readonly { readonly answer?: unknown }[]> {
  const { events } = await stage.app.call<{ events: readonly { type: string; answer?: unknown }[] }>(
    'GET',
    `/sessions/${session}/events`,
  );
  return events.filter(({ type }) => type === 'question-answered');
}
