// The screens of the web app and how to reach each one.

import type { Page } from 'playwright-core';

import { optional } from '../src/kernel/optional.ts';
import type { ScreenedSessions } from './screened-sessions.ts';

export interface Screen {
  readonly name: string;
  readonly place: string;
  readonly act?: (page: Page) => Promise<void>;
  /** Undoes what `act` did to the browser. */
  readonly after?: (page: Page) => Promise<void>;
  /** Shown to a browser that isn't signed in. */
  readonly isSignedOut?: boolean;
}

export function screensOf(sessions: ScreenedSessions): readonly Screen[] {
  const { talk, asking, team, external, failed, stopped, empty, undone, share } = sessions;
  const request = (name: string, title: RegExp): Screen => ({
    name,
    place: '/inbox',
    act: (page) => page.getByRole('link', { name: title }).first().click(),
  });
  const setting = (section: string, act?: Screen['act']): Screen => ({
    name: `settings-${section}`,
    place: `/settings/${section}`,
    ...optional({ act }),
  });
  return [
    { name: 'home', place: '/', act: (page) => showSessions(page, 'List') },
    { name: 'board', place: '/', act: (page) => showSessions(page, 'Board') },
    {
      name: 'no-matches',
      place: '/?q=invoice+pdf',
      act: async (page) => {
        await switchTo(page, 'List');
        await page.getByRole('searchbox').first().fill('invoice pdf');
      },
    },
    { name: 'inbox', place: '/inbox' },
    request('inbox-risk', /Deletes dist/),
    request('inbox-diff', /Edits .*cart/),
    request('inbox-external', /Writes notes/),
    request('inbox-question', /Which database/),
    {
      name: 'inbox-batch',
      place: '/inbox',
      act: async (page) => {
        const select = page.getByRole('button', { name: 'Select', exact: false });
        if (!(await select.isVisible())) return;
        await select.click();
        for (const box of await page.getByRole('checkbox', { name: 'Select request' }).all())
          if (await box.isEnabled()) await box.check();
      },
    },
    {
      name: 'inbox-scope',
      place: '/inbox',
      act: async (page) => {
        await page
          .getByRole('link', { name: /Edits .*cart/ })
          .first()
          .click();
        const scope = page.getByRole('button', { name: /^Scope/ });
        if (await scope.isVisible()) await scope.click();
      },
    },
    {
      name: 'inbox-answered',
      place: '/inbox',
      act: (page) => page.getByRole('button', { name: 'Answered' }).click(),
    },
    { name: 'session', place: `/s/${talk}`, act: showChanges },
    { name: 'session-team', place: `/s/${team}` },
    { name: 'session-external', place: `/s/${external}` },
    { name: 'session-failed', place: `/s/${failed}` },
    { name: 'session-stopped', place: `/s/${stopped}` },
    { name: 'session-asking', place: `/s/${asking}` },
    { name: 'session-undone', place: `/s/${undone}` },
    { name: 'session-empty', place: `/s/${empty}` },
    {
      name: 'session-menu',
      place: `/s/${talk}`,
      act: (page) => page.getByRole('button', { name: 'Session menu' }).click(),
    },
    {
      name: 'session-find',
      place: `/s/${talk}`,
      act: async (page) => {
        await page.getByRole('button', { name: 'Session menu' }).click();
        await page.getByRole('menuitem', { name: 'Find in conversation' }).click();
        await page.keyboard.type('cent');
        await page.getByText(/^1 of/).waitFor();
      },
    },
    {
      name: 'session-rewind',
      place: `/s/${talk}`,
      act: async (page) => {
        await page.getByRole('button', { name: 'Rewind to before this prompt' }).last().dispatchEvent('click');
        await page.getByText('change back', { exact: false }).waitFor();
      },
    },
    {
      name: 'share-dialog',
      place: `/s/${talk}`,
      act: async (page) => {
        await page.getByRole('button', { name: 'Session menu' }).click();
        await page.getByRole('menuitem', { name: 'Share…' }).click();
      },
    },
    {
      name: 'changes',
      place: `/s/${talk}/changes`,
      act: async (page) => {
        await page.locator('.code-keyword').first().waitFor();
        const add = page.getByRole('button', { name: 'Comment on line 6' }).last();
        if ((await page.getByText('not sent').count()) > 0 || !(await add.isVisible())) return;
        // With a finger, a tap on the line comes first.
        await add.dispatchEvent('click');
        await page.getByRole('textbox', { name: 'Comment' }).waitFor();
        await page.keyboard.type('Prices come from the API as strings. Parse them once in `toItem`, not here.');
        await page.keyboard.press('Control+Enter');
      },
    },
    {
      name: 'changes-push',
      place: `/s/${talk}/changes`,
      act: async (page) => {
        await page.getByRole('button', { name: 'Push…' }).click();
        await page.getByRole('heading', { name: /^Push/ }).waitFor();
      },
    },
    {
      name: 'changes-discard',
      place: `/s/${talk}/changes`,
      act: (page) => page.getByRole('button', { name: 'Discard…' }).click(),
    },
    { name: 'workers', place: `/s/${team}/workers` },
    { name: 'timeline', place: `/s/${talk}/timeline` },
    { name: 'audit', place: `/s/${talk}/audit` },
    { name: 'projects', place: '/projects' },
    { name: 'all-workers', place: '/workers' },
    { name: 'usage', place: '/usage' },
    setting('models'),
    setting('agents'),
    setting('rules'),
    setting('devices', (page) => page.getByRole('button', { name: 'Show code' }).click()),
    setting('notifications'),
    setting('appearance'),
    setting('shares'),
    setting('nodes'),
    setting('import'),
    { name: 'palette', place: '/', act: (page) => page.keyboard.press('Control+k') },
    { name: 'shortcuts', place: '/', act: (page) => page.keyboard.press('?') },
    { name: 'new-session', place: '/', act: (page) => page.keyboard.press('c') },
    {
      name: 'new-session-folder',
      place: '/',
      act: async (page) => {
        await page.keyboard.press('c');
        await page.getByRole('button', { name: /^Folder:/ }).click();
      },
    },
    {
      name: 'offline',
      place: `/s/${empty}`,
      act: async (page) => {
        await page.context().setOffline(true);
        await page.getByText('Offline.', { exact: true }).waitFor();
      },
      after: (page) => page.context().setOffline(false),
    },
    { name: 'not-found', place: '/nowhere' },
    { name: 'share', place: share, isSignedOut: true },
    { name: 'sign-in', place: '/', isSignedOut: true },
  ];
}

/** Branches and lines follow the rows. */
async function showSessions(page: Page, view: 'List' | 'Board'): Promise<void> {
  await switchTo(page, view);
  if ((page.viewportSize()?.width ?? 0) > 500) await page.getByText('main', { exact: true }).first().waitFor();
  await page.getByText('+5', { exact: true }).first().waitFor();
}

/** The tab's counts and the pane beside the conversation come after git. */
async function showChanges(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: /^Changes/ })
    .getByText('+5')
    .waitFor();
}

async function switchTo(page: Page, view: 'List' | 'Board'): Promise<void> {
  const toggle = page.getByRole('button', { name: view, exact: true });
  if (await toggle.isVisible()) await toggle.click();
}
