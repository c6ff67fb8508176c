// The web app in a real browser, against the real server.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { violationsIn } from './axe.ts';
import { go, phone, setStage } from './stage.ts';

const stage = setStage({ files: { 'src/cart.ts': 'export const total = 0;\n', 'README.md': '# Shop\n' } });

describe('the web app', () => {
  test('[C95] [P3] a whole life: begun by keyboard, streamed, approved from a second window, ended', async () => {
    stage.app.provider.reply(
      {
        text: 'I write the **total** first.',
        calls: [{ name: 'write', args: { path: 'src/cart.ts', content: 'export const total = 42;\n' } }],
      },
      { text: 'The total is `42` now.\n\n```ts\nexport const total = 42;\n```\n', chunkMs: 15 },
    );
    const first = await stage.open();
    expect(first.url()).toBe(`${stage.app.url}/`);

    await first.keyboard.press('c');
    await first.getByLabel('Describe a task').fill('Make the total 42');
    await first.keyboard.press('Enter');
    const log = first.getByRole('log');
    await log.getByText('Make the total 42').waitFor();
    await log.locator('strong', { hasText: 'total' }).waitFor();
    const asked = log.getByRole('group', { name: /^Question/ });
    await asked.getByText('export const total = 42;').waitFor();
    expect(await asked.getByText('rule', { exact: false }).count()).toBeGreaterThan(0);

    const second = await stage.open('/inbox');
    await second.getByText('1 open', { exact: true }).waitFor();
    await second.getByRole('button', { name: 'Allow once' }).click();
    await second.getByText('No open requests').first().waitFor();

    await log.getByText('Allowed once by you').waitFor();
    expect(await asked.count()).toBe(0);
    await log.locator('figure.code', { hasText: 'export const total' }).waitFor();
    await first.getByText('Idle', { exact: true }).waitFor();
    await log.locator('figure.code .code-keyword').first().waitFor();
    expect(readFileSync(path.join(stage.app.project, 'src/cart.ts'), 'utf8')).toBe('export const total = 42;\n');

    await first.getByLabel('Session menu').click();
    await first.getByRole('menuitem', { name: 'End session…' }).click();
    await first.getByRole('menuitem', { name: 'End permanently' }).click();
    await first.getByText('This session has ended', { exact: false }).waitFor();
  });

  test('[P3] a person about to answer sees who answered first', async () => {
    const session = await stage.app.create({ agent: 'testing' });
    await stage.app.chat(session, 'call shell {"command":"touch made; ls"}\nsay done');
    const page = await stage.open('/inbox');
    const card = page.getByRole('group', { name: /^Question/ });
    await card.getByLabel('Commands it would run').getByText('touch made', { exact: true }).waitFor();
    const { questions } = await stage.app.call<{ questions: { id: string; session: string }[] }>(
      'GET',
      '/questions',
    );
    const asked = questions.find((question) => question.session === session);
    await stage.app.call('POST', `/questions/${asked?.id}/answer`, { choice: 'reject', reason: 'not today' });
    await page.getByText('Rejected (“not today”) by you').waitFor();
    await card.waitFor({ state: 'detached' });
    expect(await page.getByText('No open requests').count()).toBeGreaterThan(0);
  });

  test('[P1] [P5] the server is killed in mid-sentence: the page reports it, continues, and nothing is there twice', async () => {
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`);
    stage.app.provider.reply({ text: words.join(' '), chunkMs: 120 }, { text: words.join(' '), chunkMs: 5 });
    const session = await stage.app.create({ title: 'Cut off' });
    const page = await stage.open(`/s/${session}`);
    await page.getByLabel('Message to the agent').fill('Count to sixty');
    await page.keyboard.press('Enter');
    const log = page.getByRole('log');
    await log.getByText('word5', { exact: false }).first().waitFor();
    await stage.app.kill();
    await page.getByText('Not connected', { exact: false }).waitFor();
    expect(await log.getByText('word5', { exact: false }).count()).toBe(1);
    await stage.app.start();
    await log.getByText('word59', { exact: false }).waitFor();
    await page.getByText('Idle', { exact: true }).waitFor();
    expect(await page.locator('[data-connection=open]').count()).toBe(1);
    const said = await log.locator('article .markdown').allInnerTexts();
    expect(said.map((text) => text.trim())).toEqual([words.join(' ')]);
    expect(await log.getByText('Count to sixty').count()).toBe(1);
    await log.getByText('Resumed after a restart', { exact: false }).waitFor();
  });

  test('what agents say never runs: hostile Markdown stays text', async () => {
    const hostile = [
      '<script>window.hacked = 1</script><img src=x onerror="window.hacked = 2">',
      '[a](javascript:window.hacked=3) [b](data:text/html,<script>window.hacked=4</script>) [c](https://example.org/x)',
      '![d](https://example.org/pixel.png) <iframe srcdoc="<script>parent.hacked = 5</script>"></iframe>',
      '<a href="https://example.org" onclick="window.hacked = 6" style="position:fixed">e</a> <style>body{display:none}</style>',
      '```"><script>window.hacked=7</script>\nx\n```',
    ].join('\n\n');
    stage.app.provider.reply({ text: hostile });
    const outside: string[] = [];
    const session = await stage.app.create({ title: 'Hostile' });
    const page = await stage.open(`/s/${session}`);
    page.on('request', (request) => {
      if (!request.url().startsWith(stage.app.url) && !request.url().startsWith('data:'))
        outside.push(request.url());
    });
    await page.getByLabel('Message to the agent').fill('Be hostile');
    await page.keyboard.press('Enter');
    const log = page.getByRole('log');
    await log.getByRole('link', { name: 'c' }).waitFor();
    for (const link of await log.locator('.markdown a').all()) await link.hover();
    expect(await page.evaluate(() => (globalThis as { hacked?: unknown }).hacked)).toBeUndefined();
    expect(outside).toEqual([]);
    const found = await log.locator('.markdown').evaluateAll((nodes) =>
      nodes.map((node) => ({
        tags: [...new Set([...node.querySelectorAll('*')].map(({ tagName }) => tagName))].toSorted(),
        links: [...node.querySelectorAll('a')].map((link) => [link.getAttribute('href'), link.rel, link.target]),
        handlers: [...node.querySelectorAll('*')].filter((element) =>
          element.getAttributeNames().some((name) => /^on|^style/.test(name)),
        ).length,
      })),
    );
    const kept = 'noopener noreferrer nofollow';
    expect(found).toEqual([
      {
        tags: ['A', 'BUTTON', 'CODE', 'FIGCAPTION', 'FIGURE', 'P', 'PRE', 'SPAN'],
        links: [
          [null, '', ''],
          [null, '', ''],
          ['https://example.org/x', kept, '_blank'],
          ['https://example.org/pixel.png', kept, '_blank'],
        ],
        handlers: 0,
      },
    ]);
  });

  test('on a phone: begun in two taps, read, answered, without scrolling sideways', async () => {
    stage.app.provider.reply(
      { calls: [{ name: 'shell', args: { command: 'touch from-a-phone; ls -la' } }] },
      { text: 'It is ready.' },
    );
    const page = await stage.open('/', { viewport: phone });
    await page.getByRole('button', { name: 'New session' }).click();
    await page.getByRole('button', { name: 'Start session', exact: true }).click();
    await page.getByLabel('Message to the agent').fill('Make a file from a phone');
    await page.getByRole('button', { name: 'Send' }).click();
    const card = page.getByRole('group', { name: /^Question/ });
    await card.waitFor();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await card.getByRole('button', { name: 'Allow once' }).click();
    await page.getByRole('log').getByText('It is ready.').waitFor();
    await page.getByRole('link', { name: 'All sessions' }).click();
    await page.getByRole('navigation', { name: 'Tabs' }).getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
  });

  test('by keyboard alone: palette, session, queue, steer, interrupt, back', async () => {
    const session = await stage.app.create({ agent: 'testing', title: 'Hanging about' });
    await stage.app.create({ agent: 'testing', title: 'Newest, and so first before words are typed' });
    const page = await stage.open();
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: /Newest/ }).waitFor();
    // Faster than the server's search.
    await page.keyboard.type('hanging');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Hanging about' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('hang');
    await page.keyboard.press('Enter');
    await page.getByText('Working', { exact: false }).first().waitFor();
    await page.keyboard.type('say later');
    await page.keyboard.press('Enter');
    await page.getByText('1 queued').waitFor();
    await page.keyboard.type('/sta');
    await page.getByRole('option', { name: /status/ }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('.said').getByText('calling testing', { exact: false }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByText('Turn stopped by', { exact: false }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    await stage.app.call('DELETE', `/sessions/${session}`);
  });

  test('[S22] changes are selected, discarded, committed, pushed and merged; a session is forked and rewound', async () => {
    const git = (...words: readonly string[]) =>
      execFileSync('git', words, { cwd: stage.app.project, encoding: 'utf8' });
    git('init', '-q', '-b', 'main');
    git('-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '-q', '--allow-empty', '-m', 'Begin');
    git('config', 'user.name', 'T');
    git('config', 'user.email', 't@example.org');
    const session = await stage.app.create({ agent: 'testing', title: 'In a worktree', worktree: true });
    const calls = ['notes.txt', 'later.txt', 'wrong.txt'].map(
      (name) => `call write {"path":"${name}","content":"one\\ntwo\\n"}`,
    );
    await stage.app.chat(session, `${calls.join('\n')}\nsay written`);
    const page = await stage.open(`/s/${session}`);
    for (const name of ['notes.txt', 'later.txt', 'wrong.txt']) {
      const asked = page.getByRole('group', { name: `Question: Writes ${name}` });
      await asked.getByRole('button', { name: 'Allow once' }).click();
    }
    await page.getByRole('log').getByText('written', { exact: true }).waitFor();

    await page.getByRole('log').getByRole('button', { name: 'Fork this point' }).last().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname.startsWith('/s/') && !url.pathname.endsWith(session));
    await page.getByRole('log').getByText('Forked from', { exact: false }).waitFor();

    await go(page, `/s/${session}/changes`);
    await page.getByText('notes.txt').first().waitFor();
    await page.getByRole('region', { name: 'Changes to notes.txt' }).getByText('two').waitFor();
    await page.getByRole('strong').filter({ hasText: 'in-a-worktree' }).waitFor();

    await page.getByRole('button', { name: 'Discard wrong.txt' }).click();
    const question = page.getByRole('dialog', { name: 'Discard changes' });
    await question.getByText('1 new file is deleted', { exact: false }).waitFor();
    await question.getByText('changes in this folder, also by other sessions', { exact: false }).waitFor();
    await question.getByRole('button', { name: 'Discard 1 file' }).click();
    await page.getByText('2 of 2 files selected').waitFor();

    await page.getByRole('checkbox', { name: 'Select later.txt' }).uncheck();
    await page.getByText('1 of 2 files selected').waitFor();
    await page.getByLabel('Commit message').fill('Add notes');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Committed 1 file').waitFor();
    await page.getByRole('checkbox', { name: 'Select later.txt' }).check();
    await page.getByLabel('Commit message').fill('Add later');
    await page.getByRole('button', { name: /^Commit 1 file/ }).click();
    await page.getByText('2 commits ahead').waitFor();

    git('init', '-q', '--bare', path.join(stage.app.project, '../origin.git'));
    git('remote', 'add', 'origin', path.join(stage.app.project, '../origin.git'));
    await page.getByRole('button', { name: 'Push…' }).click();
    const push = page.getByRole('dialog', { name: /^Push/ });
    await push.getByText('Add later').waitFor();
    expect(await push.innerText()).toContain('origin.git');
    await push.getByRole('button', { name: 'Push rondo/in-a-worktree' }).click();
    await page.getByText('Pushed rondo/in-a-worktree to origin').waitFor();
    expect(git('ls-remote', 'origin')).toContain('refs/heads/rondo/in-a-worktree');

    await page.getByRole('button', { name: /^Merge/ }).click();
    await page.getByRole('heading', { name: 'Merged into main: 2 commits, 2 files, +4 −0' }).waitFor();
    expect(git('show', 'main:notes.txt', 'main:later.txt')).toBe('one\ntwo\none\ntwo\n');

    await go(page, `/s/${session}`);
    const back = page.getByRole('log').getByRole('button', { name: /Rewind to before this prompt/ });
    await back.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Rewind' }).locator('button.primary:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('undone', { exact: false }).waitFor();
  });

  test('[C128] jobs are shown as they run; one that failed says why; any can be cancelled', async () => {
    const page = await stage.open('/workers');
    const file = (worker: string, prompt: string) =>
      stage.app.call('POST', '/jobs', { worker, agent: 'testing', prompt });
    await Promise.all([file('scout', 'hang'), file('tester', 'fail there is no network')]);
    const scout = page.getByRole('main').getByRole('listitem').filter({ hasText: 'scout' }).first();
    await scout.getByText('running', { exact: true }).waitFor();
    await page.getByLabel('Show ended jobs').check();
    await page.getByText(/^Failed: there is no network/).waitFor();
    await scout.getByRole('button', { name: 'Cancel job' }).click();
    await scout.getByText('cancelled', { exact: true }).waitFor();
    const { jobs } = await stage.app.call<{ jobs: { worker: string; state: string }[] }>(
      'GET',
      '/jobs?which=listed',
    );
    expect(jobs.filter(({ worker }) => worker === 'scout').map(({ state }) => state)).toEqual(['cancelled']);
  });

  test.for(['light', 'dark'] as const)('axe finds nothing on any screen, %s', async (colorScheme) => {
    const session = await stage.app.create({ agent: 'testing', title: 'To be looked at' });
    await stage.app.chat(session, 'call shell {"command":"npm test && ls"}\nsay done');
    const page = await stage.open();
    await page.emulateMedia({ colorScheme });
    const found: Record<string, readonly string[]> = {};
    for (const place of [
      '/',
      ...['', '/changes', '/workers', '/timeline', '/audit'].map((tab) => `/s/${session}${tab}`),
      '/inbox',
      '/workers',
      '/usage',
      '/audit',
      '/projects',
      ...['models', 'agents', 'rules', 'devices', 'notifications', 'appearance', 'shares', 'nodes', 'import'].map(
        (section) => `/settings/${section}`,
      ),
    ]) {
      await go(page, place);
      await page.locator('#main h1').first().waitFor();
      await page.waitForLoadState('networkidle');
      found[place.replace(session, 'ID')] = await violationsIn(page);
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('listbox').waitFor();
    found['palette'] = await violationsIn(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await go(page, '/');
    for (const key of ['c', '?']) {
      await page.keyboard.press(key);
      await page.getByRole('dialog').waitFor();
      found[`dialog ${key}`] = await violationsIn(page);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: 'Board', exact: true }).click();
    await page.getByRole('heading', { name: /^Needs you/ }).waitFor();
    found['board'] = await violationsIn(page);
    const share = await stage.app.call<{ path: string }>('POST', `/sessions/${session}/shares`, {});
    const guest = await (await page.context().browser()?.newContext({ colorScheme }))?.newPage();
    for (const place of ['/', share.path]) {
      await guest?.goto(`${stage.app.url}${place}`);
      await guest?.locator('h1').first().waitFor();
      if (guest !== undefined) found[place === '/' ? 'sign-in' : 'share'] = await violationsIn(guest);
    }
    expect(Object.fromEntries(Object.entries(found).filter(([, those]) => those.length > 0))).toEqual({});
    await stage.app.call('DELETE', `/sessions/${session}`);
  });

  test('the server away: the app still opens and says what is known', async () => {
    const page = await stage.open();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await stage.app.kill();
    await page.reload();
    await page.getByText('Not connected', { exact: false }).waitFor();
    await stage.app.start();
    await page.locator('[data-connection=open]').waitFor({ state: 'attached' });
    expect(await page.getByText('Not connected', { exact: false }).count()).toBe(0);
  });
});
