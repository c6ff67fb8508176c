// What the first edition did wrong, and what the second one adds, in a real browser.
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { beginRepository } from '../fixtures/begin-repository.ts';
import { go, phone, setStage } from './stage.ts';

const stage = setStage({ files: { 'src/cart.ts': 'export const total = 0;\n' } });

const idle = async (session: string) => {
  await expect.poll(async () => (await stage.app.call('GET', `/sessions/${session}`))['lifecycle']).toBe('idle');
};
const isInSight = (node: Element) => {
  const { top, bottom } = node.getBoundingClientRect();
  const frame = node.closest('[role=log]')?.getBoundingClientRect();
  return frame !== undefined && top >= frame.top && bottom <= frame.bottom + 1;
};
/** Keys allow nothing until the card shows what they would allow. */
const isShown = async (page: Page) => page.getByRole('button', { name: 'Allow once' }).click({ trial: true });
const focused = '[data-request]:focus, [data-row]:focus';

interface Happened {
  readonly type: string;
}

const openQuestions = async (session: string) =>
  (await stage.app.call<{ questions: readonly { id: string }[] }>('GET', `/sessions/${session}/questions`))
    .questions;

/** A session that asks whether it may write a file. */
async function write(title: string, path: string): Promise<string> {
  const session = await stage.app.create({ agent: 'testing', title });
  await stage.app.chat(session, `call write ${JSON.stringify({ path, content: 'x' })}\nsay done`);
  await expect.poll(async () => (await openQuestions(session)).length, { timeout: 20_000 }).toBe(1);
  return session;
}

async function answerAll(session: string): Promise<void> {
  for (const { id } of await openQuestions(session))
    await stage.app.call('POST', `/questions/${id}/answer`, { choice: 'allow-once' });
}

describe('the list', () => {
  test('[C95] a session is pinned, archived with undo, found again and deleted, by menu and keyboard', async () => {
    const session = await stage.app.create({ agent: 'testing', title: 'Old builds' });
    await stage.app.chat(session, 'say Two builds are gone. The disk is fine.');
    await idle(session);
    const page = await stage.open('/');
    const row = page.getByRole('listitem').filter({ hasText: 'Old builds' });
    await row.getByText('The disk is fine.').waitFor();
    await row.hover();
    await row.getByRole('button', { name: 'Actions for Old builds' }).click();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('menu').count()).toBe(0);
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Actions for Old builds');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Pin' }).click();
    await page.getByRole('region', { name: 'Pinned' }).getByText('Old builds').waitFor();
    await row.hover();
    await row.getByRole('button', { name: 'Actions for Old builds' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.waitFor();
    await row.hover();
    await row.getByRole('button', { name: 'Actions for Old builds' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('menuitem', { name: 'Delete permanently' }).click();
    await row.waitFor({ state: 'detached' });
    await expect(stage.app.call('GET', `/sessions/${session}`)).rejects.toThrow('Unknown session');
  });
});

describe('the inbox', () => {
  test('[S14] the effect comes first with every part; an answer moves on and keeps the focus; grave ones take two keys', async () => {
    const ask = async (title: string, command: string) => {
      const id = await stage.app.create({ agent: 'testing', title });
      await stage.app.chat(id, `call shell ${JSON.stringify({ command })}\nsay done`);
      // The oldest request is first in the list, so each one must be open before the next.
      await expect.poll(async () => (await openQuestions(id)).length, { timeout: 20_000 }).toBe(1);
      return id;
    };
    const sessions = [
      await ask('First', 'ls && rm -rf dist/old'),
      await ask('Second', 'mkdir one'),
      await ask('Third', 'mkdir two'),
    ];
    const page = await stage.open('/inbox');
    await page.getByText('3 open', { exact: true }).waitFor();
    const list = page.getByRole('list', { name: 'Requests' });
    expect(await list.getByRole('listitem').count()).toBe(3);
    const box = await list.boundingBox();
    expect(box?.height).toBeLessThan(3 * 60);
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('j');
    const answered = page.url();
    await isShown(page);
    await page.keyboard.press('y');
    await page.getByText('2 open', { exact: true }).waitFor();
    // The server's list may arrive before the answer is acknowledged, which moves the selection on.
    await page.waitForURL((url) => url.href !== answered);
    await page.getByRole('group', { name: /^Question: Writes two/ }).waitFor();
    await expect.poll(() => page.locator(focused).count()).toBe(1);
    await isShown(page);
    await page.keyboard.press('y');
    await page.getByText('1 open', { exact: true }).waitFor();
    const card = page.getByRole('group', { name: /^Question: Deletes dist\/old/ });
    const part = card.getByRole('listitem').filter({ hasText: 'rm -rf dist/old' });
    await part.getByText('Deletes dist/old, which a rewind may not restore', { exact: true }).waitFor();
    await part.getByText('No rule', { exact: true }).waitFor();
    // The list and the card name the same effect.
    expect(await list.getByRole('link').allInnerTexts()).toEqual([
      await card.getByRole('heading').first().innerText(),
    ]);
    expect(await card.getByRole('button', { name: 'Always allow' }).count()).toBe(0);
    // A key that is held isn't a second press.
    await page.keyboard.down('y');
    await card.getByText('Press again').waitFor();
    for (let repeated = 0; repeated < 5; repeated += 1) await page.keyboard.down('y');
    await page.keyboard.up('y');
    await page.keyboard.press('n');
    await page.getByText('No open requests').first().waitFor();
    for (const session of sessions) await idle(session);
  });

  test('[C95] the selection moves on although the list knows the answer before it is acknowledged', async () => {
    const sessions = [await write('Early one', 'one'), await write('Early two', 'two')];
    const page = await stage.open('/inbox');
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    await page.routeWebSocket(/./, (socket) => {
      const server = socket.connectToServer();
      const asked = new Set<string>();
      socket.onMessage((message) => {
        const { type, id } = JSON.parse(String(message)) as { type: string; id: string };
        if (type === 'question.answer') asked.add(id);
        server.send(message);
      });
      server.onMessage((message) => {
        const { type, id = '' } = JSON.parse(String(message)) as { type: string; id?: string };
        const isAcknowledged = type === 'ok' && asked.has(id);
        void (isAcknowledged ? isReleased : Promise.resolve()).then(() => socket.send(message));
      });
    });
    await page.reload();
    await page.getByText('2 open', { exact: true }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await isShown(page);
    await page.keyboard.press('y');
    await page.getByText('1 open', { exact: true }).waitFor();
    await page.getByRole('group', { name: /^Question: Writes two/ }).waitFor();
    await expect.poll(() => page.locator(focused).count()).toBe(1);
    release();
    await isShown(page);
    await page.keyboard.press('y');
    await page.getByText('No open requests').first().waitFor();
    for (const session of sessions) await idle(session);
  });

  test('[C95] a request that somebody else answers leaves the focus on the page’s content', async () => {
    const session = await write('Answered elsewhere', 'here');
    const page = await stage.open('/inbox');
    await page.getByText('1 open', { exact: true }).waitFor();
    await page.keyboard.press('k');
    await expect.poll(() => page.locator(focused).count()).toBe(1);
    await answerAll(session);
    await page.getByText('No open requests').first().waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
    await idle(session);
  });

  test('[P5] an answer given without network waits, survives a reload and is sent once', async () => {
    const session = await write('Answered in a tunnel', 'tunnel');
    const page = await stage.open('/inbox');
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.reload();
    const card = page.getByRole('group', { name: /^Question: Writes tunnel/ });
    await card.waitFor();
    await isShown(page);
    await stage.app.kill();
    await page.getByText('Not connected', { exact: false }).waitFor();
    await page.keyboard.press('y');
    await page.getByText('1 answer will be sent once on reconnect.', { exact: false }).waitFor();
    await card.getByText('Answered. Sending… when the server is back').waitFor();
    await page.reload();
    await page.getByText('1 answer will be sent once on reconnect.', { exact: false }).waitFor();
    await stage.app.start();
    await page.getByText('No open requests').first().waitFor();
    await idle(session);
    const { events } = await stage.app.call<{ events: readonly Happened[] }>('GET', `/sessions/${session}/events`);
    expect(events.filter(({ type }) => type === 'question-answered').length).toBe(1);
  });

  test('[S14] a change that was loaded stays without the server; one that can’t be loaded can be denied, not allowed', async () => {
    const session = await stage.app.create({ agent: 'testing', title: 'Seen before' });
    const content = Array.from({ length: 400 }, (_, index) => `a long line of number ${index}`).join('\n');
    await stage.app.chat(session, `call write ${JSON.stringify({ path: 'a.txt', content })}\nsay done`);
    await expect.poll(async () => (await openQuestions(session)).length, { timeout: 20_000 }).toBe(1);
    const page = await stage.open(`/s/${session}`);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.reload();
    const card = page.getByRole('group', { name: /^Question: Writes a\.txt/ });
    const line = card.getByText('a long line of number 7', { exact: true });
    await line.waitFor();
    await stage.app.kill();
    await page.getByText('Not connected', { exact: false }).waitFor();
    await line.waitFor();
    await isShown(page);
    await stage.app.start();
    await page.getByText('Not connected', { exact: false }).waitFor({ state: 'detached' });
    await line.waitFor();
    await page.route('**/api/v1/sessions/*/blobs/*', (route) => route.abort());
    await go(page, '/inbox');
    await card.getByText('Can’t load what this would do.', { exact: false }).waitFor();
    const allow = card.getByRole('button', { name: /Allow|Always/ });
    expect(await allow.evaluateAll((found) => found.map((one) => (one as HTMLButtonElement).disabled))).toEqual([
      true,
      true,
      true,
    ]);
    await page.keyboard.press('y');
    await page.unroute('**/api/v1/sessions/*/blobs/*');
    await line.waitFor();
    expect((await openQuestions(session)).length).toBe(1);
    await card.getByRole('button', { name: 'Deny', exact: true }).click();
    await page.getByText('No open requests').first().waitFor();
    await idle(session);
  });

  test('[S14] keys answer only the request that shows them, and never a way to another screen', async () => {
    const session = await write('Keys', 'keys');
    const page = await stage.open(`/s/${session}`);
    const card = page.getByRole('group', { name: /^Question: Writes keys/ });
    await card.waitFor();
    await isShown(page);
    const hint = card.locator('kbd').first();
    expect(await hint.isVisible()).toBe(false);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press('y');
    await card.focus();
    await hint.waitFor();
    for (const key of ['g', 'a']) await page.keyboard.press(key);
    await page.waitForURL('**/audit');
    await go(page, '/inbox');
    await card.waitFor();
    await isShown(page);
    for (const key of ['g', 's']) await page.keyboard.press(key);
    await page.waitForURL('**/settings');
    expect((await openQuestions(session)).length).toBe(1);
    await go(page, `/s/${session}`);
    await isShown(page);
    await card.focus();
    await page.keyboard.press('y');
    await idle(session);
  });

  test('[C95] on a phone a request is one card, and tap targets have 44 px', async () => {
    const session = await stage.app.create({ agent: 'testing', title: 'From a phone' });
    await stage.app.chat(session, 'call write {"path":"a.txt","content":"x"}\nsay done');
    const page = await stage.open('/inbox', { viewport: phone, hasTouch: true, isMobile: true });
    await page.getByRole('link', { name: /Writes a\.txt/ }).tap();
    const deny = page.getByRole('button', { name: 'Deny', exact: true });
    await deny.waitFor();
    expect((await deny.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await deny.tap();
    await idle(session);
  });
});

describe('a session', () => {
  test('[P5] a prompt that is sent while the server is away stays visible, survives a reload and arrives once', async () => {
    const session = await stage.app.create({ agent: 'testing', title: 'Away' });
    const page = await stage.open(`/s/${session}`);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.reload();
    await page.getByLabel('Message to the agent').waitFor();
    await stage.app.kill();
    await page.getByText('Not connected', { exact: false }).waitFor();
    await page.getByLabel('Message to the agent').fill('say still here');
    await page.keyboard.press('Enter');
    await page.getByText('Sending…', { exact: false }).waitFor();
    await page.reload();
    await stage.app.start();
    const log = page.getByRole('log');
    await log.locator('.markdown', { hasText: 'still here' }).waitFor();
    await page.getByText('Sending…', { exact: false }).waitFor({ state: 'detached' });
    expect(await log.getByRole('article', { name: 'You said' }).count()).toBe(1);
  });

  test('[C95] a tab and colors that cannot be fetched leave a page that says so and works', async () => {
    const session = await stage.app.create({ title: 'Half loaded' });
    stage.app.provider.reply({ text: '```ts\nconst plain = 1;\n```' });
    await stage.app.chat(session, 'Show it.');
    await idle(session);
    const page = await stage.open('/', { serviceWorkers: 'block' });
    await page.route(/assets\/(?:highlight|typescript|audit)-/, (route) => route.abort());
    await go(page, `/s/${session}`);
    const code = page.getByRole('log').locator('figure.code', { hasText: 'const plain = 1;' });
    await code.waitFor();
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('button', { name: 'Reload page' }).waitFor();
    await page.getByRole('link', { name: 'Chat' }).click();
    await code.waitFor();
    expect(await code.locator('.code-keyword').count()).toBe(0);
  });

  test('[C95] on a phone without network, a banner says so at once and the prompt that waits is in sight', async () => {
    const session = await stage.app.create({ agent: 'testing', title: 'In a tunnel' });
    await stage.app.chat(session, `say ${'a line of text. '.repeat(200)}`);
    await idle(session);
    const page = await stage.open(`/s/${session}`, { viewport: phone, hasTouch: true, isMobile: true });
    const log = page.getByRole('log');
    await log.getByRole('article').first().waitFor();
    await log.evaluate((frame) => (frame.scrollTop = 0));
    await page.context().setOffline(true);
    await page.getByText('Offline.', { exact: true }).waitFor({ timeout: 3000 });
    await page.getByLabel('Message to the agent').fill('say Sent from the tunnel');
    await page.keyboard.press('Enter');
    const prompt = page.getByRole('article', { name: 'Prompt being sent' });
    await prompt.getByText('Sending… when the server is back').waitFor();
    await expect.poll(() => prompt.evaluate(isInSight)).toBe(true);
    await page.getByText('1 prompt will be sent once on reconnect.', { exact: false }).waitFor();
    // What the page does by itself fails in silence: the banner has said why.
    await go(page, '/inbox');
    await go(page, `/s/${session}`);
    await prompt.waitFor();
    expect(await page.getByText("Can't mark the session").count()).toBe(0);
    await page.context().setOffline(false);
    await expect.poll(() => page.getByText('Offline.', { exact: true }).count()).toBe(0);
    await log.locator('.markdown', { hasText: 'Sent from the tunnel' }).waitFor();
    await prompt.waitFor({ state: 'detached' });
  });

  test('[C95] a rewind collapses with its steps and files, and undo brings them back', async () => {
    const session = await stage.app.create({ agent: 'testing', title: 'There and back' });
    const page = await stage.open(`/s/${session}`);
    const log = page.getByRole('log');
    await stage.app.chat(session, 'say one');
    await log.locator('.markdown', { hasText: 'one' }).waitFor();
    await idle(session);
    const { seq } = await stage.app.call<{ seq: number }>('GET', `/sessions/${session}`);
    await stage.app.chat(session, 'say two');
    await log.locator('.markdown', { hasText: 'two' }).waitFor();
    await idle(session);
    await stage.app.call('POST', `/sessions/${session}/rewind`, { to: seq });
    await log.getByText('1 step undone', { exact: false }).waitFor();
    expect(await log.locator('.markdown', { hasText: 'two' }).count()).toBe(0);
    await log.getByRole('button', { name: 'Undo' }).click();
    await log.locator('.markdown', { hasText: 'two' }).waitFor();
    expect(await log.getByText('undone', { exact: false }).count()).toBe(0);
  });

  test('[C95] a failed turn is announced once and looks failed; a stopped one is announced once', async () => {
    const session = await stage.app.create({ agent: 'testing', title: 'Goes wrong' });
    const page = await stage.open(`/s/${session}`);
    await stage.app.chat(session, 'fail the disk is full');
    const log = page.getByRole('log');
    const note = log.getByRole('note');
    await note.getByText('the disk is full', { exact: false }).waitFor();
    await expect
      .poll(() => note.getByRole('button').allInnerTexts())
      .toEqual(['Retry', 'Switch model', 'Details']);
    await page.locator('header').getByText('Failed', { exact: true }).waitFor();
    // It is read now, and still found among the failed ones, whose mark it shows.
    await go(page, '/');
    await page.getByRole('button', { name: 'Failed 1' }).click();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Goes wrong' })
      .getByRole('img', { name: 'Failed' })
      .waitFor();
    await go(page, `/s/${session}`);
    await expect.poll(() => log.getByText('the disk is full', { exact: false }).count()).toBe(2);
    await stage.app.chat(session, 'hang');
    await page.getByRole('button', { name: 'Stop' }).click();
    await log.getByText('Turn stopped by', { exact: false }).waitFor();
    await idle(session);
    await expect.poll(() => log.getByText(/stopped/i).count()).toBe(1);
    await stage.app.chat(session, 'call write {"path":"kept.txt","content":"x"}\nhang');
    await page.getByRole('button', { name: 'Allow once' }).click();
    await log.getByText('kept.txt').first().waitFor();
    // The session also works while the call runs. Only a call that has ended keeps its edit.
    const happened = () => stage.app.call<{ events: readonly Happened[] }>('GET', `/sessions/${session}/events`);
    await expect
      .poll(async () => (await happened()).events.some(({ type }) => type === 'tool-settled'))
      .toBe(true);
    await page.locator('header').getByText('Working', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await log.getByText('Turn stopped by you · 1 edit kept').waitFor();
    await log.getByRole('button', { name: 'Rewind', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Rewind/ })
      .click();
    await log.getByText(/steps? undone/).waitFor();
  });

  test('[C155] [C156] renamed, its mode changed, a line commented, and the comment sent as a prompt', async () => {
    beginRepository(stage.app.project);
    const session = await stage.app.create({ agent: 'testing', title: 'Review me', worktree: true });
    const page = await stage.open(`/s/${session}`);
    await stage.app.chat(
      session,
      'call write {"path":"src/cart.ts","content":"export const total = 42;\\n"}\nsay done',
    );
    await page.getByRole('button', { name: 'Allow once' }).click();
    await idle(session);
    await page.getByRole('heading', { name: 'Review me' }).getByRole('button').click();
    await page.getByLabel('Session title').fill('Cart total');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Cart total' }).waitFor();
    await page.getByRole('button', { name: 'Mode: Interactive' }).click();
    await page.getByRole('menuitemradio', { name: /^Supervised/ }).click();
    await expect
      .poll(async () => (await stage.app.call('GET', `/sessions/${session}`))['mode'])
      .toBe('supervised');
    await go(page, `/s/${session}/changes`);
    const line = page.getByRole('button', { name: 'Comment on line 1' }).last();
    // The test clicks at its lower edge, which lies outside of its line.
    await line.click({ position: { x: 12, y: 23 } });
    expect(await line.boundingBox()).toMatchObject({ width: 24, height: 24 });
    await page.keyboard.press('Escape');
    const held = await stage.open(`/s/${session}/changes`, { viewport: phone, hasTouch: true, isMobile: true });
    await held.locator('td').getByText('export const total = 42;').tap();
    const here = held.getByRole('button', { name: 'Comment on line 1' }).last();
    expect((await here.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await here.tap();
    await held.getByPlaceholder('Comment for the agent').fill('by finger');
    await held.getByRole('button', { name: 'Add comment' }).tap();
    await held.getByText('1 comment, not sent').first().waitFor();
    await line.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('say reviewed');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.getByText('1 comment, not sent').first().waitFor();
    await page.getByRole('button', { name: 'Send as prompt' }).click();
    const prompt = page
      .getByRole('log')
      .getByRole('article', { name: 'You said' })
      .filter({ hasText: 'src/cart.ts:1' });
    await prompt.getByText('say reviewed').waitFor();
    expect(await prompt.innerText()).toContain('> export const total = 42;');
  });

  test('[C119] before a rewind the page names the files that change back, and whose changes they hold', async () => {
    const session = await stage.app.create({ agent: 'testing', title: 'Goes back', worktree: true });
    const { cwd } = await stage.app.call<{ cwd: string }>('GET', `/sessions/${session}`);
    const page = await stage.open(`/s/${session}`);
    await stage.app.chat(session, 'call write {"path":"src/mine.ts","content":"a\\nb\\n"}\nsay written');
    await page.getByRole('button', { name: 'Allow once' }).click();
    await idle(session);
    const theirs = path.join(cwd, 'theirs.txt');
    writeFileSync(theirs, 'by hand\n');
    utimesSync(theirs, Date.now() / 1000 + 60, Date.now() / 1000 + 60);
    const log = page.getByRole('log');
    await log.getByRole('button', { name: 'Rewind to before this prompt' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Rewind' });
    await dialog.getByText('2 files change back').waitFor();
    await dialog.getByText('Removes 1 prompt and what followed.', { exact: false }).waitFor();
    expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^src\/mine\.ts\s+Deleted\s+−2$/),
      expect.stringMatching(/^theirs\.txt\s+Changed outside this session\s+Deleted\s+−1$/),
    ]);
    await dialog.getByRole('button', { name: 'Chat only' }).click();
    await log.getByText('2 steps undone').waitFor();
    expect(existsSync(path.join(cwd, 'src/mine.ts'))).toBe(true);
  });

  test('[C95] the list, the tab and the diff count the same lines, and a session without changes shows none', async () => {
    const session = await stage.app.create({ agent: 'testing', title: 'Counts lines', worktree: true });
    await stage.app.chat(session, 'call write {"path":"src/cart.ts","content":"a\\nb\\n"}\nsay written');
    const quiet = await stage.app.create({ agent: 'testing', title: 'Only talks' });
    await stage.app.chat(quiet, 'say hello');
    await idle(quiet);
    await expect.poll(async () => (await openQuestions(session)).length).toBe(1);
    await answerAll(session);
    await idle(session);
    const { changes } = await stage.app.call<{ changes: readonly { added: number; removed: number }[] }>(
      'GET',
      `/sessions/${session}/diff`,
    );
    expect(changes.map(({ added, removed }) => `+${added}−${removed}`)).toEqual(['+2−1']);
    const page = await stage.open('/');
    const row = (title: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: title });
    await row('Counts lines').getByText('+2−1', { exact: true }).waitFor();
    await row('Counts lines').getByText('counts-lines', { exact: false }).waitFor();
    await row('Only talks').getByText('main', { exact: true }).waitFor();
    expect(await row('Only talks').getByText('−1').count()).toBe(0);
    await go(page, `/s/${session}`);
    await page
      .getByRole('link', { name: /^Changes/ })
      .getByText('+2−1', { exact: true })
      .waitFor();
  });

  test('[C95] find marks every match and steps through them', async () => {
    const session = await stage.app.create({ agent: 'testing', title: 'Findable' });
    await stage.app.chat(session, 'say a harpsichord');
    await idle(session);
    await stage.app.chat(session, 'say another harpsichord');
    await idle(session);
    const page = await stage.open(`/s/${session}`);
    await page.getByRole('log').locator('.markdown', { hasText: 'another' }).waitFor();
    await page.keyboard.press('f');
    await page.getByLabel('Words to find').fill('harpsichord');
    await page.getByText(/^1 of \d/).waitFor();
    await page.getByRole('button', { name: 'Next match' }).click();
    await page.getByRole('button', { name: 'Next match' }).click();
    await page.getByText(/^2 of \d/).waitFor();
    await expect.poll(() => page.evaluate(() => CSS.highlights.get('found')?.size ?? 0)).toBeGreaterThan(1);
  });
});

describe('a new session', () => {
  test('[C95] a wrong folder is reported at its field in plain words, and it is not remembered', async () => {
    const page = await stage.open('/');
    await page.keyboard.press('c');
    const folder = page.getByRole('button', { name: 'Folder: shop' });
    await folder.waitFor();
    expect(await folder.getAttribute('title')).toBe(stage.app.project);
    await folder.click();
    await page.getByRole('menuitem', { name: 'Another folder…' }).click();
    await page.getByLabel('Folder on the server').fill('/no/such/place');
    await page.getByRole('button', { name: 'Start session' }).click();
    const problem = page.getByRole('dialog').getByRole('alert');
    await problem.waitFor();
    expect(await problem.innerText()).not.toContain('--cwd');
    expect(await page.getByLabel('Folder on the server').getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.press('Escape');
    await page.keyboard.press('c');
    await page.getByRole('button', { name: 'Folder: shop' }).waitFor();
    expect(await page.getByRole('dialog').getByRole('alert').count()).toBe(0);
  });

  test('[C154] a repository is cloned from the dialog, and its error stands at its field', async () => {
    const page = await stage.open('/');
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog', { name: 'New session' });
    await dialog.getByRole('button', { name: 'Folder: shop' }).click();
    await page.getByRole('menuitem', { name: 'Clone a repository…' }).click();
    const field = dialog.getByLabel('Repository to clone');
    await field.fill('https://127.0.0.1:9/no/such.git');
    await dialog.getByRole('button', { name: 'Start session' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await dialog.getByRole('button', { name: 'Folder: such' }).count()).toBe(1);
  });

  test('hints about keys appear only where there probably is a keyboard', async () => {
    const hint = 'Enter starts, Shift+Enter adds a line';
    const page = await stage.open('/');
    await page.keyboard.press('c');
    await page.getByText(hint).waitFor();
    await page.setViewportSize(phone);
    await page.getByRole('button', { name: 'Start session' }).waitFor();
    expect(await page.getByText(hint).isVisible()).toBe(false);
  });
});

test('[C95] usage is that of all projects or of one', async () => {
  const bakery = path.join(path.dirname(stage.app.project), 'bakery');
  mkdirSync(bakery);
  for (const [title, cwd] of [
    ['Sells bread', bakery],
    ['Sells carts', stage.app.project],
  ] as const) {
    const session = await stage.app.create({ agent: 'testing', title, cwd });
    await stage.app.chat(session, 'say Sold.');
    await idle(session);
  }
  const page = await stage.open('/usage');
  await page.getByRole('button', { name: 'By session' }).click();
  const rows = page.getByRole('figure', { name: 'tokens by session' });
  await rows.getByRole('link', { name: 'Sells carts' }).waitFor();
  await page.getByRole('button', { name: /^Project: / }).click();
  await page.getByRole('menuitemradio', { name: 'bakery' }).click();
  await rows.getByRole('link', { name: 'Sells carts' }).waitFor({ state: 'detached' });
  expect(await rows.getByRole('link').allInnerTexts()).toEqual(['Sells bread']);
  await page.getByText('1 session', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Project: / }).click();
  await page.getByRole('menuitemradio', { name: 'All projects' }).click();
  await rows.getByRole('link', { name: 'Sells carts' }).waitFor();
  await page.setViewportSize(phone);
  const overflowing = await page
    .getByRole('button', { name: 'Export CSV' })
    .evaluate((button) => button.getBoundingClientRect().right - innerWidth);
  expect(overflowing).toBeLessThanOrEqual(0);
});
