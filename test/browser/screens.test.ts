// The main action of each screen that has no test file, as a person does it in the browser.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { go, setStage } from './stage.ts';

const stage = setStage({
  files: { 'README.md': '# Shop\n' },
  config: { policies: { default: { deny: ['shell(shutdown*)'] } } },
});

const begin = async (title: string, text: string, options: Record<string, unknown> = {}) => {
  const session = await stage.app.create({ agent: 'testing', title, ...options });
  if (text !== '') await stage.app.chat(session, text);
  return session;
};
const row = (page: Page, title: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: title });

describe('delegation', () => {
  test('[C95] workers have names and sentences, a waiting one marks its parent, and nothing shows JSON or ids', async () => {
    const ask = { question: 'Which rounding?', options: ['Up', 'Down'] };
    const workers = [
      { name: 'migrations', objective: `call ask_user ${JSON.stringify(ask)}`, agent: 'testing' },
      { name: 'docs', objective: 'say 1 page updated.', agent: 'testing' },
    ];
    const session = await begin('Split the work', `call delegate ${JSON.stringify({ workers })}\nsay All done.`);
    const page = await stage.open();
    const parent = row(page, 'Split the work');
    await parent.getByText('Which rounding?').waitFor();
    expect(await parent.getByRole('img', { name: 'Needs you' }).count()).toBe(1);

    await go(page, `/s/${session}`);
    await page.locator('header.bar').getByText('Needs you').waitFor();
    const cards = page.getByRole('log').getByRole('list', { name: 'Workers' });
    await cards.getByRole('listitem').filter({ hasText: 'docs' }).getByText('1 page updated.').waitFor();
    const migrations = cards.getByRole('listitem').filter({ hasText: 'migrations' });
    expect([
      await migrations.getByText('Which rounding?').count(),
      await cards.getByRole('listitem').count(),
    ]).toEqual([1, 2]);
    const words = await page
      .getByRole('log')
      .evaluate((log) =>
        [...log.querySelectorAll('[aria-label=Workers], [data-row-type=worker]')].map((part) => part.textContent),
      );
    expect(words.join('\n')).not.toMatch(/\{"|wrk_|ses_|job_/);

    await go(page, `/s/${session}/workers`);
    await page.getByText('Waiting for an answer', { exact: false }).first().waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(/\{"workers|wrk_|ses_/);
    await go(page, `/s/${session}`);
    await page.getByRole('button', { name: 'Up', exact: false }).click();
    await page.getByRole('log').getByText('All done.', { exact: true }).waitFor();
    await expect.poll(() => cards.getByRole('img', { name: 'Finished' }).count()).toBe(2);
  });
});

describe('the board', () => {
  test('[C95] a request is answered on its card, and the card moves to the next column', async () => {
    await begin('Note on the board', 'call write {"path":"board.txt","content":"x"}\nsay Noted.');
    const page = await stage.open();
    await page.getByRole('button', { name: 'Board', exact: true }).click();
    const column = (name: string) => page.getByRole('region', { name });
    const card = column('Needs you').getByRole('listitem').filter({ hasText: 'Note on the board' });
    await card.getByText('Writes').waitFor();
    await card.getByRole('button', { name: 'Allow once' }).click();
    await column('Finished, unread').getByRole('link', { name: 'Note on the board' }).waitFor();
    expect(await readFile(path.join(stage.app.project, 'board.txt'), 'utf8')).toBe('x');
    await page.getByRole('button', { name: 'List', exact: true }).click();
  });
});

describe('a new session', () => {
  test('[C156] folder, model, mode and budget are chosen from menus by keyboard', async () => {
    const page = await stage.open();
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog', { name: 'New session' });
    const choose = async (menu: string, entry: RegExp | string) => {
      await dialog.getByRole('button', { name: new RegExp(`^${menu}:`) }).focus();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('menuitemradio', { name: entry }).focus();
      await page.keyboard.press('Enter');
    };
    stage.app.provider.reply({ text: 'Hello from the menus.' });
    await choose('Model', /gpt-test/);
    await choose('Mode', /^Supervised/);
    await choose('Budget', '$5');
    await dialog.getByLabel('Describe a task').fill('Say hello.');
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('Hello from the menus.', { exact: true }).waitFor();
    const id = new URL(page.url()).pathname.replace('/s/', '');
    const { mode, limits, model } = await stage.app.call('GET', `/sessions/${id}`);
    expect({ mode, limits, model }).toMatchObject({
      mode: 'supervised',
      limits: { cost: 5 },
      model: expect.stringContaining('gpt-test') as string,
    });
  });
});

describe('settings', () => {
  test('[C147] a provider’s key is stored, used and never shown', async () => {
    const page = await stage.open('/settings/models');
    await page.getByLabel('Provider').fill('google');
    await page.getByLabel('API key').fill('gm-secret-0123456789');
    await page.getByRole('button', { name: 'Store key' }).click();
    await page.getByText('Key for google stored').waitFor();
    expect(await page.getByLabel('API key').inputValue()).toBe('');
    const row = page.getByRole('row', { name: /^google\// });
    await row.getByText(/^Key stored .*\d{4}/).waitFor();
    await page.reload();
    await row.getByRole('button', { name: 'Replace key' }).waitFor();
    expect(await page.content()).not.toContain('gm-secret');
  });

  test('[C95] a rule that “Always allow” saved is listed and revoked', async () => {
    const session = await begin('Keep a rule', 'call write {"path":"rule.txt","content":"x"}\nsay Kept.');
    const page = await stage.open(`/s/${session}`);
    await page.getByRole('button', { name: 'Always allow' }).click();
    await page.getByRole('log').getByText('Kept.', { exact: true }).waitFor();
    await go(page, '/settings/rules');
    const rules = async () => (await stage.app.call<{ rules: readonly unknown[] }>('GET', '/rules')).rules.length;
    const before = await rules();
    const revoke = page.getByRole('main').getByRole('button', { name: 'Revoke' }).first();
    await revoke.click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect.poll(rules).toBe(before - 1);
    const standing = page.getByRole('row').filter({ hasText: 'shell(shutdown*)' });
    expect(await standing.innerText()).toMatch(/shell\(shutdown\*\)\s*Deny\s+Your configuration/);
    expect(await standing.getByRole('button').count()).toBe(0);
  });

  test('[S12] a token is shown once and revoked, and signing out ends this browser’s access', async () => {
    const page = await stage.open('/settings/devices');
    await page.getByLabel('Token name').fill('ci');
    await page.getByRole('button', { name: 'Create token' }).click();
    const token = (await page.getByLabel('New token').textContent()) ?? '';
    const api = `${stage.app.url}/api/v1/sessions`;
    const reach = async () => (await fetch(api, { headers: { authorization: `Bearer ${token.trim()}` } })).status;
    expect(await reach()).toBe(200);
    const entry = page.getByRole('listitem').filter({ hasText: 'ci' }).last();
    await entry.getByRole('button', { name: 'Revoke' }).click();
    await entry.getByRole('button', { name: 'Confirm' }).click();
    await expect.poll(reach).toBe(401);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  test('[C147] the QR code’s link signs a second browser in, once', async () => {
    const page = await stage.open('/settings/devices');
    await page.getByRole('button', { name: 'Show code' }).click();
    await page.getByRole('img', { name: 'QR code that signs a device in' }).waitFor();
    const link = (await page.getByRole('link', { name: /#token=/ }).getAttribute('href')) ?? '';
    const browser = page.context().browser();
    const phone = await (await browser?.newContext())?.newPage();
    await phone?.goto(link);
    await phone?.getByRole('heading', { name: 'Sessions', exact: true }).waitFor();
    await page.reload();
    const devices = page.getByRole('main').getByRole('listitem');
    await devices.filter({ hasText: 'This device' }).getByText('Chrome on Linux').waitFor();
    expect(await devices.getByText('This device').count()).toBe(1);
    expect(await devices.getByText('Chrome on Linux').count()).toBeGreaterThan(1);
    const late = await (await browser?.newContext())?.newPage();
    await late?.goto(link);
    await late?.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await late?.getByRole('heading', { name: 'Sessions', exact: true }).count()).toBe(0);
  });

  test('[C153] the page of nodes lists this server with its sessions', async () => {
    const page = await stage.open('/settings/nodes');
    const node = page.getByRole('listitem').filter({ hasText: '(this server)' });
    await node.waitFor();
    expect(await node.innerText()).toMatch(/Ready · \d+ of [\d,]+ sessions/);
  });

  test('[C153] the page of nodes tells a node that is gone from one that runs, and drains only the latter', async () => {
    const page = await stage.open();
    await page.route('**/api/v1/nodes', async (route) => {
      const answer = await route.fetch();
      const { nodes, ...rest } = (await answer.json()) as { nodes: object[] };
      const like = (more: object) => ({ ...nodes[0], labels: ['gpu'], ...more });
      const [gone, other] = [like({ name: 'db-1', isAlive: false }), like({ name: 'db-2', silentMs: 45_000 })];
      await route.fulfill({ json: { ...rest, nodes: [...nodes, gone, other] } });
    });
    await go(page, '/settings/nodes');
    const shown = async (name: string) => {
      const row = page.getByRole('main').getByRole('listitem').filter({ hasText: name });
      await row.waitFor();
      const text = await row.innerText();
      const state = /(Gone|Silent|Ready) · /.exec(text)?.[1];
      return [state, text.includes('· gpu'), await row.getByRole('button', { name: 'Drain' }).count()];
    };
    expect([await shown('db-1'), await shown('db-2'), await shown('(this server)')]).toEqual([
      ['Gone', true, 0],
      ['Silent', true, 1],
      ['Ready', false, 1],
    ]);
  });

  test('[C95] a bundle is imported, and a file that isn’t one says why', async () => {
    const session = await begin('To be exported', 'say Carried over.');
    const page = await stage.open(`/s/${session}`);
    await page.getByRole('log').getByText('Carried over.', { exact: true }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Session menu' }).click();
    await page.getByRole('menuitem', { name: 'Export as bundle' }).click();
    const bundle = await readFile(await (await download).path());
    await go(page, '/settings/import');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const field = page.locator('input[type=file]');
    await field.setInputFiles({ name: 'no.rondo', mimeType: 'text/plain', buffer: Buffer.from('nothing') });
    await page.getByRole('alert').waitFor();
    await field.setInputFiles({ name: 'yes.rondo', mimeType: 'application/octet-stream', buffer: bundle });
    await page.waitForURL(/\/s\/ses_/);
    await page.getByRole('log').getByText('Carried over.', { exact: true }).waitFor();
    expect(path.basename(page.url())).not.toBe(session);
    // It has neither agent nor folder until a person continues it, and no place for them is empty.
    await page.locator('header').getByText('Imported', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Changes' }).click();
    await page.getByText('No changes', { exact: true }).waitFor();
    expect(asked.filter((url) => url.includes(`/${path.basename(path.dirname(page.url()))}/diff`))).toEqual([]);
    expect(await page.locator('.projects a').allInnerTexts()).not.toContain('');
  });
});
