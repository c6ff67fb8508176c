// One browser and one served app for a test file. Every window is signed in, and errors of its page fail the test
// that opened it.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';

import { launchChromium } from './chromium.ts';
import { serveApp, type ServedApp, type ServeOptions } from './served-app.ts';

const wide = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };
const patience = 30_000;

export interface Stage {
  readonly app: ServedApp;
  /** Opens a new window. */
  open(place?: string, options?: BrowserContextOptions): Promise<Page>;
}

export function setStage(options: ServeOptions): Stage {
  let browser: Browser | undefined;
  let app: ServedApp | undefined;
  const problems: string[] = [];

  beforeAll(async () => {
    [browser, app] = await Promise.all([launchChromium(), serveApp(options)]);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await app?.[Symbol.asyncDispose]();
  });
  afterEach(async ({ task }) => {
    const contexts = browser?.contexts() ?? [];
    // What the person would have seen: a race that fails once can be understood from the log.
    if (task.result?.state === 'fail')
      for (const page of contexts.flatMap((context) => context.pages()))
        process.stderr.write(
          `${task.name} failed at ${page.url()}, which showed:\n${await page.innerText('body')}\n`,
        );
    await Promise.all(contexts.map((context) => context.close()));
    // A test that failed while the server was away takes none of the following ones with it.
    if (app?.isRunning === false) await app.start();
    const complaints = problems.splice(0);
    if (complaints.length > 0) throw new Error(`The page complained: ${complaints.join('\n')}`);
  });
  const served = () => {
    if (app === undefined) throw new Error('The app is not served yet.');
    return app;
  };

  return {
    get app() {
      return served();
    },
    async open(place = '/', context = {}) {
      if (browser === undefined) throw new Error('The browser has not started yet.');
      const opened = await browser.newContext({ viewport: wide, reducedMotion: 'reduce', ...context });
      const page = await opened.newPage();
      page.setDefaultTimeout(patience);
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('console', (message) => {
        const isOurs = /content security|trusted|violat|svelte/i.test(message.text());
        if (message.type() === 'error' && isOurs) problems.push(message.text());
      });
      await page.goto(await served().link());
      await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor();
      if (place !== '/') await go(page, place);
      return page;
    },
  };
}

/** Navigates as a link of the app does, without a page load. */
export async function go(page: Page, place: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, place);
}
