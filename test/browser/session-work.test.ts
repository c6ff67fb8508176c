// Everyday work in a session, in a real browser against the real server.
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { commandsOf } from '../../src/commands/run-command.ts';
import { phone, setStage } from './stage.ts';

const fixture = path.resolve(import.meta.dirname, '../fixtures/acp-agent/main.ts');
const server = path.resolve(import.meta.dirname, '../fixtures/mcp-server.ts');
const stage = setStage({
  files: { 'README.md': '# Shop\n' },
  config: {
    acpAgents: { fixture: { command: process.execPath, args: [fixture, '--modes'] } },
    mcpServers: { docs: { command: process.execPath, args: [server] } },
  },
  prepare: async (data) => {
    await mkdir(path.join(data, 'commands'));
    await writeFile(path.join(data, 'commands', 'ship.md'), 'say shipped $ARGUMENTS');
  },
});

async function say(page: Page, text: string, keys = 'Enter'): Promise<void> {
  await page.getByLabel('Message to the agent').fill(text);
  await page.keyboard.press(keys);
}

describe('the queue', () => {
  test('queued prompts are reordered, edited and removed, and run that way', async () => {
    const session = await stage.app.create({ agent: 'testing', title: 'Queue' });
    const page = await stage.open(`/s/${session}`);
    await say(page, 'hang');
    await page.getByText('Working', { exact: false }).first().waitFor();
    for (const word of ['one', 'two', 'three', 'four']) {
      await say(page, `say ${word}`);
      await page.getByRole('region', { name: 'Queue' }).getByText(`say ${word}`).waitFor();
    }
    const queue = page.getByRole('region', { name: 'Queue' });
    const waiting = () => queue.getByRole('listitem').locator('span:first-child').allTextContents();
    const line = (text: string) => queue.getByRole('listitem').filter({ hasText: text });
    await line('say three').getByRole('button', { name: 'Move up' }).click();
    await expect.poll(waiting).toEqual(['say one', 'say three', 'say two', 'say four']);
    await line('say one').getByRole('button', { name: 'Move down' }).click();
    await expect.poll(waiting).toEqual(['say three', 'say one', 'say two', 'say four']);
    await line('say two').getByRole('button', { name: 'Remove prompt' }).click();
    await expect.poll(waiting).toEqual(['say three', 'say one', 'say four']);
    await line('say one').getByRole('button', { name: 'Edit prompt' }).click();
    await queue.getByLabel('Prompt text').fill('say changed');
    await page.keyboard.press('Enter');
    await expect.poll(waiting).toEqual(['say three', 'say changed', 'say four']);

    await page.getByRole('button', { name: 'Stop' }).click();
    const log = page.getByRole('log');
    await log.getByText('Turn stopped by', { exact: false }).waitFor();
    await queue.getByText('paused', { exact: false }).waitFor();
    await queue.getByRole('button', { name: 'Resume' }).click();
    await log.locator('.markdown', { hasText: 'four' }).waitFor();
    expect(await log.locator('.markdown').allInnerTexts()).toEqual(['three', 'changed', 'four']);
    expect(await log.getByText('edited', { exact: false }).count()).toBe(1);
  });

  test('what steers joins the turn that runs', async () => {
    stage.app.provider.reply(
      { text: 'I look. ', calls: [{ name: 'shell', args: { command: 'sleep 1; ls' } }] },
      { text: 'In French then.' },
    );
    const session = await stage.app.create({ title: 'Steered' });
    const page = await stage.open(`/s/${session}`);
    await say(page, 'Explain the shop');
    const log = page.getByRole('log');
    const card = log.getByRole('group', { name: /^Question/ });
    await card.waitFor();
    await say(page, 'In French, please', 'Control+Enter');
    await page.getByRole('region', { name: 'Queue' }).getByText('steers', { exact: true }).waitFor();
    await card.getByRole('button', { name: 'Allow once' }).click();
    await log.getByText('In French then.').waitFor();
    await log.getByText('steered the turn', { exact: false }).waitFor();
    expect(stage.app.provider.requests.at(-1)?.lastUserText).toBe('In French, please');
  });
});

describe('going back', () => {
  test('a session is forked at a prompt and rewound to before it; later messages leave the conversation', async () => {
    const session = await stage.app.create({ agent: 'testing', title: 'Two ways' });
    const page = await stage.open(`/s/${session}`);
    const log = page.getByRole('log');
    for (const word of ['first', 'second']) {
      await say(page, `say ${word}`);
      await log.locator('.markdown', { hasText: word }).waitFor();
    }
    const second = log.getByRole('article', { name: 'You said' }).filter({ hasText: 'say second' });
    await second.hover();
    await second.getByRole('button', { name: 'Fork before this prompt' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(session));
    await log.getByText('Forked from', { exact: false }).waitFor();
    await expect.poll(() => log.locator('.markdown').allInnerTexts()).toEqual(['first']);
    await say(page, 'say another way');
    await log.locator('.markdown', { hasText: 'another way' }).waitFor();

    await page.goBack();
    await log.locator('.markdown', { hasText: 'second' }).waitFor();
    await second.hover();
    await second.getByRole('button', { name: 'Rewind to before this prompt' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rewind' });
    await dialog.getByText('Removes 1 prompt and what followed. You can undo it.').waitFor();
    await dialog.getByRole('button', { name: /^Rewind/ }).click();
    await log.getByText('undone', { exact: false }).waitFor();
  });
});

describe('external agents', () => {
  test('[C95] an agent’s own choices are its buttons, and what is chosen reaches it', async () => {
    const session = await stage.app.create({ agent: 'fixture', title: 'Own words' });
    const page = await stage.open(`/s/${session}`);
    await say(page, 'ask deploy');
    const log = page.getByRole('log');
    const card = log.getByRole('group', { name: /^Question/ });
    await card.waitFor();
    await card.getByText('Agent option “Allow”.', { exact: false }).waitFor();
    await card.getByText('deploy', { exact: false }).first().waitFor();
    await card.getByRole('button', { name: 'Agent: Always allow' }).click();
    await log.getByText('deploy: always.').waitFor();
    expect(await readFile(path.join(stage.app.project, 'ran.txt'), 'utf8')).toBe('deploy\n');
    await say(page, 'ask destroy');
    await card.getByRole('button', { name: 'Deny', exact: true }).click();
    await log.getByText('destroy: no.').waitFor();
    expect(readFileSync(path.join(stage.app.project, 'ran.txt'), 'utf8')).toBe('deploy\n');
  });

  test('[C95] an agent’s request shows the file and the lines that it would write', async () => {
    const session = await stage.app.create({ agent: 'fixture', title: 'Own diff' });
    await stage.app.chat(session, 'plan Look|Write\nedit plan.md Batch the writes');
    const page = await stage.open(`/s/${session}`);
    const log = page.getByRole('log');
    const plan = log.getByRole('region', { name: 'Plan' });
    await plan.getByText('0 of 2').waitFor();
    expect(await plan.getByRole('listitem').allInnerTexts()).toEqual(['Look\nOpen', 'Write\nOpen']);
    const card = log.getByRole('group', { name: 'Question: Writes plan.md' });
    await card.getByText('External agent.', { exact: false }).waitFor();
    await card.getByText('plan.md', { exact: true }).last().waitFor();
    await card.getByText('Batch the writes', { exact: true }).waitFor();
    await card.getByRole('button', { name: 'Deny', exact: true }).click();
    await log.getByText('not allowed').waitFor();
  });

  test('[C95] an agent’s own mode is chosen beside the composer and by /set', async () => {
    const session = await stage.app.create({ agent: 'fixture', title: 'Own mode' });
    const page = await stage.open(`/s/${session}`);
    const log = page.getByRole('log');
    await say(page, 'mode');
    await log.getByText('ask', { exact: true }).waitFor();
    const picker = page.getByRole('group', { name: 'Agent settings' }).getByLabel('Mode');
    await picker.selectOption({ label: 'Code' });
    await expect.poll(async () => (await settings(session)).mode).toBe('code');
    await say(page, '/set mode ask');
    await page.locator('.said').getByText('Asked fixture for the mode ask.').waitFor();
    await expect.poll(async () => (await settings(session)).mode).toBe('ask');
    await expect.poll(() => picker.inputValue()).toBe('ask');
  });

  test('[C95] a form is filled in field by field, checked before it is sent, or declined', async () => {
    const session = await stage.app.create({ agent: 'fixture', title: 'A form' });
    const page = await stage.open(`/s/${session}`);
    const log = page.getByRole('log');
    await say(page, 'form Who are you?');
    const card = log.getByRole('group', { name: /Who are you/ });
    await card.getByRole('button', { name: 'Send' }).click();
    expect(await card.getByLabel('name').evaluate((field: HTMLInputElement) => field.validity.valueMissing)).toBe(
      true,
    );
    await card.getByLabel('name').fill('Ada');
    await card.getByRole('button', { name: 'Send' }).click();
    await log.getByText('{"action":"accept","content":{"name":"Ada"}}').waitFor();
    await say(page, 'form Who else?');
    await log
      .getByRole('group', { name: /Who else/ })
      .getByRole('button', { name: 'Decline' })
      .click();
    await log.getByText('"action":"decline"', { exact: false }).waitFor();
  });
});

describe('questions of external agents', () => {
  test('[C95] a form of many fields is checked, filled in and sent as a whole', async () => {
    const session = await stage.app.create({ agent: 'fixture', title: 'A long form' });
    const page = await stage.open(`/s/${session}`, { viewport: phone });
    const log = page.getByRole('log');
    await say(page, 'long-form Book a table');
    const card = log.getByRole('group', { name: /Book a table/ });
    const send = card.getByRole('button', { name: 'Send' });
    await card.getByLabel('Name').fill('Ada');
    await card.getByLabel('Seats').fill('12');
    await send.click();
    expect(
      await card.getByLabel('Seats').evaluate((field: HTMLInputElement) => field.validity.rangeOverflow),
    ).toBe(true);
    await card.getByLabel('Seats').fill('4');
    await send.click();
    await card.getByText('Choose at least one: Days').waitFor();
    await card.getByLabel('Meal').selectOption({ label: 'Vegetables' });
    await card.getByLabel('Tue').check();
    await card.getByLabel('Wed').check();
    expect(await card.getByLabel('At a window').isChecked()).toBe(true);
    await send.click();
    await log
      .getByText(
        '{"action":"accept","content":{"name":"Ada","seats":4,"window":true,"meal":"v","days":["Tue","Wed"]}}',
      )
      .waitFor();
  });

  test("[C95] a question's address is shown as a link, and its completion is reported", async () => {
    const session = await stage.app.create({ agent: 'fixture', title: 'Elsewhere' });
    const page = await stage.open(`/s/${session}`);
    const log = page.getByRole('log');
    await say(page, 'url https://example.org/sign-in Sign in there');
    const card = log.getByRole('group', { name: /Sign in there/ });
    const link = card.getByRole('link', { name: 'https://example.org/sign-in' });
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    await card.getByRole('button', { name: 'Done' }).click();
    await log.getByText('"action":"accept"', { exact: false }).waitFor();
  });
});

describe('pictures', () => {
  test('[C95] chosen, pasted and dropped: shown in the conversation, read by the model as they were', async () => {
    stage.app.provider.reply({ text: 'Three squares.' });
    const session = await stage.app.create({ title: 'Pictures' });
    const page = await stage.open(`/s/${session}`);
    const [red, large, blue] = [png(8, [255, 0, 0]), png(320, 'noise'), png(8, [0, 0, 255])];
    await page.locator('input[type=file]').setInputFiles({ name: 'red.png', mimeType: 'image/png', buffer: red });
    await page.getByRole('button', { name: 'Remove red.png' }).waitFor();
    await hand(page, 'paste', 'image.png', large);
    await hand(page, 'drop', 'image.png', blue);
    await expect.poll(() => page.locator('.attached img').count()).toBe(3);
    await say(page, 'What are these?');

    const log = page.getByRole('log');
    await log.getByText('Three squares.').waitFor();
    const shown = log.getByRole('img', { name: /^Attached picture/ });
    await expect.poll(() => shown.evaluateAll(sizes)).toEqual([8, 320, 8]);
    const kinds = await shown.evaluateAll((nodes) =>
      nodes.map((node) => new URL((node as HTMLImageElement).src).protocol),
    );
    expect(kinds).toEqual(['data:', 'blob:', 'data:']);
    const sent = JSON.stringify(stage.app.provider.requests.at(-1)?.body);
    expect([red, large, blue].map((bytes) => sent.includes(bytes.toString('base64')))).toEqual([true, true, true]);

    await shown.nth(1).click();
    await page.getByRole('dialog', { name: 'image.png' }).getByRole('button', { name: 'Close' }).click();
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/picture')),
      page.reload(),
    ]);
    const headers = answer.headers();
    const names = ['content-type', 'x-content-type-options', 'content-security-policy', 'content-disposition'];
    expect(names.map((name) => headers[name])).toEqual([
      'image/png',
      'nosniff',
      "default-src 'none'; sandbox",
      'inline',
    ]);
    await expect.poll(() => shown.evaluateAll(sizes)).toEqual([8, 320, 8]);
  });

  test('[C95] what only says that it is a picture is never served as one', async () => {
    const session = await stage.app.create({ title: 'No picture' });
    const page = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script>${' '.repeat(9000)}</svg>`;
    const attachments = [{ name: 'x.png', mediaType: 'image/png', content: Buffer.from(page).toString('base64') }];
    stage.app.provider.reply({ text: 'That is nothing.' });
    await stage.app.call('POST', `/sessions/${session}/inputs`, { type: 'chat', text: 'Look', attachments });
    const window = await stage.open(`/s/${session}`);
    await window.getByRole('log').getByText('x.png (it cannot be shown)').waitFor();
    expect(
      await window
        .getByRole('log')
        .getByRole('img', { name: /x\.png/ })
        .count(),
    ).toBe(0);
  });

  test('[C95] one that is too large for a message on the socket goes all the same', async () => {
    stage.app.provider.reply({ text: 'A large one.' });
    const session = await stage.app.create({ title: 'Large picture' });
    const page = await stage.open(`/s/${session}`);
    const buffer = png(700, 'noise');
    expect(buffer.length).toBeGreaterThan(1_000_000);
    await page.locator('input[type=file]').setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer });
    await say(page, 'And this?');
    const log = page.getByRole('log');
    await log.getByText('A large one.').waitFor();
    await expect
      .poll(() => log.getByRole('img', { name: 'Attached picture photo.png' }).evaluateAll(sizes))
      .toEqual([700]);
    const zeros = Buffer.alloc(8_000_000);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'huge.png', mimeType: 'image/png', buffer: zeros });
    await page.getByText("Can't attach huge.png").waitFor();
  });
});

describe('commands', () => {
  test('[C13] [C150] a typed verb is a prompt with that intent, and in mode repl a line that is a call runs', async () => {
    const session = await stage.app.create({ agent: 'testing', title: 'Verbs', mode: 'repl' });
    const page = await stage.open(`/s/${session}`);
    await say(page, '/fix the crash in login.ts');
    await page.getByRole('log').getByText('You said: /fix the crash in login.ts').waitFor();
    await say(page, 'list {"path":"."}');
    const typesOf = async () => {
      const path = `/sessions/${session}/events?after=0&limit=100`;
      const { events } = await stage.app.call<{ events: readonly { type: string }[] }>('GET', path);
      return events.map(({ type }) => type);
    };
    await expect.poll(typesOf).toContain('tool-settled');
  });

  test('[C95] /model, /mode, /export and /help do here what they do elsewhere', async () => {
    stage.app.provider.respond(() => ({ text: 'Fine.' }));
    const session = await stage.app.create({ title: 'Commands' });
    const page = await stage.open(`/s/${session}`);
    const said = page.locator('.said');
    await say(page, 'Hello');
    await page.getByRole('log').getByText('Fine.').waitFor();
    await say(page, '/model gpt-tset');
    await said.getByText("It isn't listed.", { exact: false }).waitFor();
    const { models } = await stage.app.call<{ models: { id: string }[] }>('GET', `/models?session=${session}`);
    const other = models.at(-1)?.id ?? '';
    await say(page, `/model ${other}`);
    await said.getByText(`Model: ${other}, from the next turn on.`).waitFor();
    await expect.poll(async () => (await stage.app.call('GET', `/sessions/${session}`))['model']).toBe(other);
    await say(page, '/mode supervised');
    await said.getByText('Mode: supervised.').waitFor();
    await page.getByRole('heading', { name: 'Commands' }).locator('..').getByText('supervised').waitFor();

    const download = page.waitForEvent('download');
    await say(page, '/export notes.md');
    const file = await download;
    expect(file.suggestedFilename()).toBe('notes.md');
    expect(readFileSync(await file.path(), 'utf8')).toContain('Fine.');
    const bundle = page.waitForEvent('download');
    await say(page, '/export');
    expect((await bundle).suggestedFilename()).toBe(`${session}.rondo`);
    const [first = ''] = readFileSync(await (await bundle).path(), 'utf8').split('\n');
    expect(first).toContain(session);

    await say(page, '/context');
    await said.getByText(/^[\d,]+ of .*tokens|size of the window unknown/).waitFor();

    await say(page, '/help');
    const help = await said.locator('pre').textContent();
    const builtIn = commandsOf('screen').list();
    // The folder's own follow: one from a file, and the prompt of an MCP server.
    expect(help?.match(/^\/\w+/gm)).toEqual([
      ...builtIn.map(({ name }) => `/${name}`),
      '/ship',
      '/mcp__docs__greet',
    ]);
  });
});

describe('commands that were wrong in the browser', () => {
  test('[C95] /approve q_second answers the second question, and the first stays open', async () => {
    const session = await stage.app.create({ agent: 'testing', title: 'Two questions' });
    const page = await stage.open(`/s/${session}`);
    const text = 'call shell {"command":"mkdir one"}\ncall shell {"command":"mkdir two"}\nsay Made.';
    await stage.app.call('POST', `/sessions/${session}/inputs`, { type: 'chat', text });
    const open = async () =>
      (await stage.app.call<{ questions: { id: string }[] }>('GET', `/sessions/${session}/questions`)).questions;
    await expect.poll(async () => (await open()).length).toBe(2);
    const [first, second] = (await open()).map(({ id }) => id);
    await say(page, `/approve ${second}`);
    await expect.poll(async () => (await open()).map(({ id }) => id)).toEqual([first]);
    await say(page, `/deny ${first} not that one`);
    await page.getByRole('log').getByText('Made.').waitFor();
  });

  test('[C95] /rewind undo reverts the last rewind, and /clear and /history work on the page', async () => {
    const session = await stage.app.create({ agent: 'testing', title: 'Undo' });
    const page = await stage.open(`/s/${session}`);
    const log = page.getByRole('log');
    const said = page.locator('.said');
    const rewinds = async () => {
      const { events } = await stage.app.call<{ events: { type: string }[] }>(
        'GET',
        `/sessions/${session}/events`,
      );
      return events.filter(({ type }) => type === 'rewound').length;
    };
    await say(page, 'say First');
    await log.locator('.markdown', { hasText: 'First' }).waitFor();
    await expect.poll(async () => (await stage.app.call('GET', `/sessions/${session}`))['lifecycle']).toBe('idle');
    const { seq } = await stage.app.call<{ seq: number }>('GET', `/sessions/${session}`);
    await say(page, 'say Second');
    await log.locator('.markdown', { hasText: 'Second' }).waitFor();
    await say(page, `/rewind ${seq}`);
    await said.getByText(`Rewound to event ${seq}.`, { exact: false }).waitFor();
    await page.route('**/rewind', async (route) => {
      const response = await route.fetch();
      await expect.poll(() => page.getByLabel('Message to the agent').inputValue()).toBe('/clear');
      await route.fulfill({ response });
    });
    await say(page, '/rewind undo');
    await expect.poll(rewinds).toBe(2);
    // Entered while the command before it is still under way.
    await say(page, '/clear');
    await expect.poll(() => log.locator('.markdown', { hasText: 'First' }).count()).toBe(0);
    await say(page, '/history');
    await log.locator('.markdown', { hasText: 'First' }).waitFor();
  });
});

describe('notifications', () => {
  test('[C95] in the background, the browser notifies about new questions and ended turns', async () => {
    const page = await stage.open('/', { permissions: ['notifications'] });
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    // A headless browser shows no notifications, so the test records the calls.
    await page.evaluate(() => {
      const shown: string[] = [];
      Object.assign(globalThis, { shown });
      ServiceWorkerRegistration.prototype.showNotification = (title, options) => {
        shown.push(`${title}: ${options?.body ?? ''}`.replace(/: After .*/, ''));
        return Promise.resolve();
      };
    });
    const told = () => page.evaluate(() => (globalThis as unknown as { shown: readonly string[] }).shown);
    const session = await stage.app.create({ agent: 'testing', title: 'Out of sight' });
    await page.getByRole('main').getByText('Out of sight').waitFor();
    await page.evaluate(() => Object.defineProperty(document, 'hidden', { get: () => true }));
    await stage.app.chat(session, 'call shell {"command":"touch x; ls"}\nsay done');
    const question = 'Out of sight needs you: Writes x and 1 more';
    await expect.poll(told).toEqual([question]);
    await page.getByText('Out of sight needs you').waitFor();
    const { questions } = await stage.app.call<{ questions: { id: string; session: string }[] }>(
      'GET',
      '/questions',
    );
    const asked = questions.find((question) => question.session === session);
    await stage.app.call('POST', `/questions/${asked?.id}/answer`, { choice: 'allow-once' });
    await expect.poll(told).toEqual([question, 'Out of sight is done']);
  });
});

const settings = (session: string) =>
  stage.app.call<{ readonly mode?: string }>('GET', `/sessions/${session}/agent-settings`);

const sizes = (nodes: Element[]) => nodes.map((node) => (node as HTMLImageElement).naturalWidth);

async function hand(page: Page, how: 'paste' | 'drop', name: string, bytes: Buffer): Promise<void> {
  await page.getByLabel('Message to the agent').evaluate(
    (field, given) => {
      const data = new DataTransfer();
      const content = Uint8Array.from(atob(given.content), (letter) => letter.codePointAt(0) ?? 0);
      data.items.add(new File([content], given.name, { type: 'image/png' }));
      const options = { bubbles: true, cancelable: true };
      field.dispatchEvent(
        given.how === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: data })
          : new DragEvent('drop', { ...options, dataTransfer: data }),
      );
    },
    { how, name, content: bytes.toString('base64') },
  );
}

/** A square as a real PNG, of one color or of incompressible noise. */
function png(size: number, color: readonly [number, number, number] | 'noise'): Buffer {
  let seed = 1;
  const noise = () => (seed = (seed * 48_271) % 2_147_483_647) & 255;
  const rows = Array.from({ length: size }, () => [
    0,
    ...Array.from({ length: size }, () => (color === 'noise' ? [noise(), noise(), noise()] : color)).flat(),
  ]);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  const data = deflateSync(Buffer.from(rows.flat()));
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

test('[C131] [C140] the composer completes commands from files, and prompts and resources of MCP servers', async () => {
  const session = await stage.app.create({ agent: 'testing', title: 'Completion' });
  const page = await stage.open(`/s/${session}`);
  const field = page.getByLabel('Message to the agent');
  const option = (name: string) => page.getByRole('option').filter({ hasText: name });
  await field.pressSequentially('/shi');
  await option('/ship').waitFor();
  await field.fill('');
  await field.pressSequentially('/mcp__');
  await option('/mcp__docs__greet').waitFor();
  await page.keyboard.press('Tab');
  await expect.poll(() => field.inputValue()).toBe('/mcp__docs__greet ');
  await field.fill('');
  await field.pressSequentially('say @note');
  await option('@docs:note://one').waitFor();
  await page.keyboard.press('Tab');
  await expect.poll(() => field.inputValue()).toBe('say @docs:note://one ');
  await page.keyboard.press('Enter');
  const log = page.getByRole('log');
  await log.locator('.markdown', { hasText: '@docs:note://one' }).waitFor();
});
