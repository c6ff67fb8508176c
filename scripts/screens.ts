// `npm run screens`: takes a picture of every screen of the web app in both themes at 1440, 1024 and 390 px.
//
// It serves the built app with sessions in every state and writes PNG files to .cache/screens.

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';

import type { Page } from 'playwright-core';

import { launchChromium } from '../test/browser/chromium.ts';
import { serveApp, type ServedApp } from '../test/browser/served-app.ts';
import { scriptOptions } from './script-options.ts';

const root = path.resolve(import.meta.dirname, '..');
const { only, out, width } = scriptOptions(
  `npm run screens [-- --only NAME] [--width N]

Takes a picture of every screen in both themes at 1440, 1024 and 390 px.

  --only NAME   only screens whose name contains NAME
  --width N     only this width
  --out FOLDER  write the files there (.cache/screens)`,
  { only: { type: 'string' }, out: { type: 'string' }, width: { type: 'string' } },
);
const folder = path.resolve(out ?? path.join(root, '.cache/screens'));
mkdirSync(folder, { recursive: true });
execFileSync(process.execPath, [path.join(root, 'scripts/build-tested.ts')], { stdio: 'inherit' });

const cart =
  'export function total(items: readonly Item[]) {\n  return items.reduce((sum, item) => sum + item.price, 0);\n}\n';
await using app = await serveApp({ files: { 'src/cart.ts': cart, 'README.md': '# Shop\n' } });
const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: app.project });
git('init', '-q', '-b', 'main');
git('config', 'user.name', 'T');
git('config', 'user.email', 't@example.org');
git('add', '.');
git('commit', '-q', '-m', 'Begin');

const places = await fill(app);
await using browser = await launchChromium();
for (const size of [1440, 1024, 390].filter((one) => width === undefined || one === Number(width))) {
  for (const theme of ['light', 'dark'] as const) {
    const context = await browser.newContext({
      viewport: { width: size, height: size === 390 ? 844 : 900 },
      colorScheme: theme,
      reducedMotion: 'reduce',
      deviceScaleFactor: size === 390 ? 2 : 1,
      ...(size === 390 && { hasTouch: true, isMobile: true }),
    });
    const page = await context.newPage();
    await page.goto(await app.link());
    await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor();
    for (const { name, place, act } of places) {
      if (only !== undefined && !name.includes(only)) continue;
      await page.evaluate(
        `history.pushState(null, '', ${JSON.stringify(place)}); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      await page.locator('#main h1').first().waitFor({ state: 'attached' });
      await act?.(page);
      await page.waitForTimeout(900);
      await page.screenshot({ path: path.join(folder, `${name}-${size}-${theme}.png`) });
      await page.keyboard.press('Escape');
    }
    await context.close();
  }
}
console.log(`Wrote pictures to ${path.relative(root, folder)}.`);

interface Screen {
  readonly name: string;
  readonly place: string;
  readonly act?: (page: Page) => Promise<void>;
}

/** Sessions in every state. */
async function fill(served: ServedApp): Promise<readonly Screen[]> {
  // From the first look at the list on, finished turns are unread.
  await served.call('GET', '/sessions/overview');
  const begin = async (title: string, text: string, options: Record<string, unknown> = {}) => {
    const id = await served.create({ agent: 'testing', title, ...options });
    await served.chat(id, text);
    return id;
  };
  const idle = (id: string) =>
    until(async () => (await served.call<{ lifecycle: string }>('GET', `/sessions/${id}`)).lifecycle === 'idle');
  const finished = await begin(
    'Dark mode for invoices',
    'say Both themes pass the contrast check. 3 screenshots attached.',
  );
  await idle(finished);
  await idle(await begin('Document the webhooks API', 'say 12 endpoints documented, 1 without an example.'));
  await idle(await begin('مراجعة رسائل الخطأ', 'say تم تحديث 14 رسالة خطأ.'));
  await idle(await begin('Nightly dependency bump', 'fail Provider rate limit reached after 3 retries'));
  await begin('Write the 2.4 release notes', 'hang');
  await begin(
    'Clear out old builds',
    'call shell {"command":"du -sh dist && rm -rf dist/old && du -sh dist | tee clean.log"}\nsay done',
  );
  await begin(
    'Move ingest to batched writes',
    `call edit ${JSON.stringify({ path: 'src/cart.ts', edits: [{ old_text: 'item.price, 0', new_text: 'toCents(item.price), 0' }] })}\nsay done`,
  );
  await begin('Install a package', 'call shell {"command":"npm install pg-copy-streams@6"}\nsay done');
  await begin(
    'Choose a store',
    `call ask_user ${JSON.stringify({ question: 'Which database should the audit log use?', options: ['SQLite', 'PostgreSQL', 'A file'] })}\nsay done`,
  );
  const talk = await begin(
    'Cart total is off by a cent',
    `call read {"path":"src/cart.ts"}\ncall grep {"pattern":"total"}\ncall read {"path":"README.md"}\nsay \`total\` adds prices as floating-point numbers. The fix:\\n\\n- add cents as integers\\n- round discounts with the same helper`,
    { worktree: true },
  );
  await idle(talk);
  await served.chat(
    talk,
    `call write ${JSON.stringify({ path: 'src/cart.ts', content: `${cart}export const cents = 100;\n` })}\nsay Done. All carts add up now.`,
  );
  await until(async () => (await questionsOf(served, talk)).length > 0);
  for (const { id } of await questionsOf(served, talk))
    await served.call('POST', `/questions/${id}/answer`, { choice: 'allow-once' });
  await idle(talk);
  return [
    { name: 'home', place: '/' },
    {
      name: 'board',
      place: '/',
      act: async (page) => {
        const toggle = page.getByRole('button', { name: 'Board', exact: true });
        if (await toggle.isVisible()) await toggle.click();
      },
    },
    {
      name: 'list',
      place: '/',
      act: async (page) => {
        const toggle = page.getByRole('button', { name: 'List', exact: true });
        if (await toggle.isVisible()) await toggle.click();
      },
    },
    {
      name: 'inbox',
      place: '/inbox',
      act: async (page) => {
        await page
          .getByRole('link', { name: /Deletes/ })
          .first()
          .click();
      },
    },
    {
      name: 'inbox-diff',
      place: '/inbox',
      act: (page) => page.getByRole('link', { name: /Edits/ }).first().click(),
    },
    {
      name: 'inbox-question',
      place: '/inbox',
      act: (page) =>
        page
          .getByRole('link', { name: /Which database/ })
          .first()
          .click(),
    },
    { name: 'session', place: `/s/${talk}` },
    { name: 'changes', place: `/s/${talk}/changes` },
    { name: 'timeline', place: `/s/${talk}/timeline` },
    { name: 'audit', place: `/s/${talk}/audit` },
    { name: 'usage', place: '/usage' },
    { name: 'settings', place: '/settings' },
    {
      name: 'settings-devices',
      place: '/settings/devices',
      act: async (page) => page.getByRole('button', { name: 'Show code' }).click(),
    },
    { name: 'palette', place: '/', act: (page) => page.keyboard.press('Control+k') },
    { name: 'new-session', place: '/', act: async (page) => page.keyboard.press('c') },
  ];
}

async function questionsOf(
  served: ServedApp,
  session?: string,
): Promise<readonly { readonly id: string; readonly session: string }[]> {
  const { questions } = await served.call<{ questions: readonly { id: string; session: string }[] }>(
    'GET',
    '/questions',
  );
  return questions.filter((question) => session === undefined || question.session === session);
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200 && !(await isDone()); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 50));
}
