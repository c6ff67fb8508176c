// `npm run screens`: takes a picture of every screen of the web app in both themes at 1440, 1024 and 390 px.
//
// It serves the built app with sessions in every state and writes PNG files to .cache/screens.

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';

import type { BrowserContextOptions } from 'playwright-core';

import { launchChromium } from '../test/browser/chromium.ts';
import { fillStore } from './screened-sessions.ts';
import { screensOf, type Screen } from './screen-list.ts';
import { scriptOptions } from './script-options.ts';
import { serveScreened } from './serve-screened.ts';

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
for (const script of ['build-web', 'build-tested'])
  execFileSync(process.execPath, [path.join(root, `scripts/${script}.ts`)], { stdio: 'inherit' });

await using app = await serveScreened();
const screens = screensOf(await fillStore(app));
await using browser = await launchChromium();
const failures: string[] = [];
const sizes = [1440, 1024, 390].filter((one) => width === undefined || one === Number(width));
const wanted = screens.filter(({ name }) => only === undefined || name.includes(only));
// Opening a session marks it as read, so the lists come first.
const isList = ({ place }: Screen) => place === '/';
for (const some of [wanted.filter(isList), wanted.filter((screen) => !isList(screen))])
  for (const size of some.length === 0 ? [] : sizes)
    for (const theme of ['light', 'dark'] as const) await shoot(some, size, theme);
console.log(`Wrote pictures to ${path.relative(root, folder)}.`);
for (const failure of failures) console.error(failure);
if (failures.length > 0) process.exitCode = 1;

async function shoot(some: readonly Screen[], size: number, theme: 'light' | 'dark'): Promise<void> {
  const look: BrowserContextOptions = {
    viewport: { width: size, height: size === 390 ? 844 : 900 },
    colorScheme: theme,
    reducedMotion: 'reduce',
    deviceScaleFactor: size === 390 ? 2 : 1,
    ...(size === 390 && { hasTouch: true, isMobile: true }),
  };
  const context = await browser.newContext(look);
  const page = await context.newPage();
  page.setDefaultTimeout(8000);
  const listed = () => page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor({ timeout: 30_000 });
  await page.goto(await app.link());
  await listed();
  await page.evaluate(`localStorage.setItem('rondo.daily-budget', '8')`);
  await page.reload();
  await listed();
  for (const { name, place, act, after, isSignedOut = false } of some) {
    const shown = isSignedOut ? await (await browser.newContext(look)).newPage() : page;
    if (isSignedOut) await shown.goto(`${app.url}${place}`);
    else
      await shown.evaluate(
        `history.pushState(null, '', ${JSON.stringify(place)}); dispatchEvent(new PopStateEvent('popstate'))`,
      );
    try {
      await shown.locator('h1').first().waitFor({ state: 'attached' });
      await act?.(shown);
    } catch (error) {
      failures.push(`${name} at ${size}: ${(error as Error).message.split('\n', 3).join(' ')}`);
    }
    await shown.waitForTimeout(700);
    await shown.screenshot({ path: path.join(folder, `${name}-${size}-${theme}.png`) });
    if (isSignedOut) await shown.context().close();
    else await shown.keyboard.press('Escape');
    await after?.(shown);
  }
  await context.close();
}
