// Screenshots for the README, of real sessions in the real web app: `node scripts/screenshots.ts [--out FOLDER]`.
// Build the app first (`npm run build:web`). The tests' fake provider supplies the agent's text.

import { mkdirSync } from 'node:fs';
import path from 'node:path';

import type { Page } from 'playwright-core';

import { launchChromium } from '../test/browser/chromium.ts';
import { fillStore } from './screened-sessions.ts';
import { scriptOptions } from './script-options.ts';
import { serveScreened } from './serve-screened.ts';

const { out } = scriptOptions(
  `node scripts/screenshots.ts [--out FOLDER]

Takes the pictures of the README, of real sessions in the web app. Build it first: npm run build:web.

  --out FOLDER  where to (default: docs/images)`,
  { out: { type: 'string', default: 'docs/images' } },
);
mkdirSync(out, { recursive: true });
// The server in the screenshots is the published command.
await import('./build-tested.ts');

await using app = await serveScreened();
const { asking } = await fillStore(app);
await using browser = await launchChromium();

// The lines that git counts follow the rows.
const counted = (page: Page) => page.getByText('+5', { exact: true }).first().waitFor();
await shoot('home', '/', { isDark: false }, counted);
await shoot('session', `/s/${asking}`, { isDark: true });
await shoot('inbox', '/inbox', { isDark: false }, openRequest);
await shoot('phone', '/inbox', { isDark: true, viewport: { width: 390, height: 844 } }, openRequest);

interface Look {
  readonly isDark: boolean;
  readonly viewport?: { readonly width: number; readonly height: number };
}

function openRequest(page: Page): Promise<void> {
  return page.getByRole('link', { name: /Deletes dist/ }).click();
}

async function shoot(
  name: string,
  place: string,
  { isDark, viewport = { width: 1200, height: 760 } }: Look,
  act?: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({
    viewport,
    colorScheme: isDark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    ...(viewport.width < 500 && { hasTouch: true, isMobile: true, deviceScaleFactor: 2 }),
  });
  const page = await context.newPage();
  await page.goto(await app.link());
  await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor();
  await page.goto(`${app.url}${place}`);
  await page.locator('#main h1').first().waitFor();
  await act?.(page);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: path.join(out, `${name}.png`) });
  await context.close();
  console.log(`${name}.png`);
}
