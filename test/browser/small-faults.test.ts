// Faults of the first edition, found in a real browser.
import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';

import { go, setStage } from './stage.ts';

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
  const names = ['a.txt', 'b.txt', 'c.txt'];
  expect(await page.getByRole('list', { name: 'Attached files' }).getByRole('listitem').allInnerTexts()).toEqual(
    names,
  );
  await go(page, '/');
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'New session' });
  await dialog.locator('input[type=file]').setInputFiles(files);
  await dialog.getByText('c.txt').waitFor();
  stage.app.provider.reply({ text: 'Three files read.' });
  await dialog.getByRole('button', { name: 'Start session' }).click();
  await page.getByRole('log').locator('.markdown', { hasText: 'Three files read.' }).waitFor();
  for (const name of names) await page.getByRole('article', { name: 'You said' }).getByText(name).waitFor();
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

test('[C95] columns keep the side that the agent chose, and lists their first number', async () => {
  const table = '| item | cents |\n|---|---:|\n| tea | 250 |\n\n3. From three on';
  const session = await stage.app.create({ title: 'A table' });
  stage.app.provider.reply({ text: table });
  await stage.app.chat(session, 'Show the prices.');
  const page = await stage.open(`/s/${session}`);
  const sideOf = (text: string) =>
    page.getByRole('cell', { name: text }).evaluate((cell) => getComputedStyle(cell).textAlign);
  await page.getByRole('cell', { name: '250' }).waitFor();
  expect([await sideOf('tea'), await sideOf('250')]).toEqual(['start', 'end']);
  expect(await page.getByRole('log').locator('.markdown ol').getAttribute('start')).toBe('3');
});

test('[C95] formulas and diagrams are drawn under the page’s policy, and what isn’t one stays code', async () => {
  const session = await stage.app.create({ title: 'Shown' });
  stage.app.provider.reply({
    text: [
      'The area is $\\pi r^2$, it costs $5 and $10.\n\n$$\n\\frac{a}{b}\n$$\n\n',
      '```mermaid\ngraph TD\n  A[Read] --> B{Safe?}\n  B -->|yes| C[Run <img src=x onerror=alert(1)>]\n```\n\n',
      '```mermaid\nthis is no diagram\n```\n\n$\\nosuchcommand{x}$ and $\\href{javascript:alert(1)}{y}$\n',
    ],
  });
  await stage.app.chat(session, 'Show me.');
  const page = await stage.open(`/s/${session}`);
  const reply = page.getByRole('log').locator('.markdown').last();
  await expect.poll(() => reply.locator('math').count()).toBe(2);
  expect(await reply.locator('math mfrac').count()).toBe(1);
  const diagram = reply.getByRole('img', { name: /^Diagram: graph TD/ });
  await diagram.waitFor();
  expect(await diagram.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(50);
  expect(await reply.getByText('costs $5 and $10').count()).toBe(1);
  expect(await reply.locator('a[href^=javascript], [style], [onerror]').count()).toBe(0);
  await reply.getByText('this is no diagram').waitFor();
  await reply.getByText('\\nosuchcommand{x}').waitFor();
  await reply.getByRole('button', { name: 'Show source' }).click();
  await reply.getByText('A[Read]').waitFor();
});

test('[S12] a sign-in link pasted into an open tab signs in, and its code leaves the address bar', async () => {
  const page = await stage.open('/');
  const link = new URL(await stage.app.link());
  await page.evaluate((hash) => (location.hash = hash), link.hash);
  await expect.poll(() => new URL(page.url()).hash).toBe('');
  await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor();
});

test('[C95] a page that the service worker controls opens each screen without a warning in the console', async () => {
  const session = await stage.app.create({ title: 'Quiet' });
  const page = await stage.open();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const warnings: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text());
  });
  for (const place of [`/s/${session}`, '/inbox', '/usage', '/settings/models', '/']) {
    await page.goto(`${stage.app.url}${place}`);
    await page.locator('h1').first().waitFor({ state: 'attached' });
  }
  // Unused preloads are reported a few seconds after the load.
  await page.waitForTimeout(4000);
  expect(warnings).toEqual([]);
});

test('[C95] reading a missing file stays calm, alone and in a group', async () => {
  const session = await stage.app.create({ title: 'Looks first' });
  stage.app.provider.reply(
    { text: 'Looking.', calls: [{ name: 'read', args: { path: 'notes.md' } }] },
    {
      text: 'Again.',
      calls: [
        { name: 'read', args: { path: 'a.md' } },
        { name: 'list', args: { path: 'src' } },
      ],
    },
    { text: 'There is nothing yet.' },
  );
  await stage.app.chat(session, 'Read the notes.');
  const page = await stage.open(`/s/${session}`);
  const log = page.getByRole('log');
  await log.getByText('There is nothing yet.').waitFor();
  const heads = await log.locator('.fold-head').allInnerTexts();
  // A slow machine adds the time that a call took.
  expect(heads.map((head) => head.replace(/\n[\d.]+ ?m?s$/, ''))).toEqual([
    "Looked for\nnotes.md\ndoesn't exist",
    'Read 1 file, listed 1 folder',
  ]);
  expect(await log.locator('.tag.bad').count()).toBe(0);
});

test('[C153] the list and the inbox say which label a session waits for', async () => {
  const session = await stage.app.create({ agent: 'testing', title: 'Train it' });
  await stage.app.chat(session, 'say once');
  const page = await stage.open('/settings');
  // Only a store of several machines knows nodes: the server's rows have a test of their own.
  const answer = async (route: Route) => {
    const list = await (await route.fetch({ url: route.request().url().replace('group=needs-you', '') })).json();
    const rows = (list.rows as readonly { session: string }[])
      .filter((row) => row.session === session)
      .map((row) => ({ ...row, group: 'needs-you', missingLabels: ['gpu'] }));
    await route.fulfill({ json: { ...list, rows, total: 1, sections: [{ name: 'needs-you', count: 1 }] } });
  };
  // Leaving a page ends what it asked for.
  await page.route('**/api/v1/sessions/overview?*', (route) => answer(route).catch(() => undefined));
  await go(page, '/');
  const row = page.getByRole('listitem').filter({ hasText: 'Train it' });
  await row.getByText('Waits for label gpu').waitFor();
  await go(page, '/inbox');
  const stranded = page.getByRole('list', { name: 'Sessions that no node can work on' });
  const why = 'Its agent needs the label gpu, which no running node offers.';
  await stranded.getByText(why, { exact: false }).waitFor();
  await stranded.getByRole('link', { name: 'Train it' }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/s/${session}`);
});
