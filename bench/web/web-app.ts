import type { CDPSession, Page } from 'playwright-core';

import { launchChromium } from '../../test/browser/chromium.ts';
import { serveApp, type ServedApp } from '../../test/browser/served-app.ts';
import type { Plan } from '../harness/plan.ts';
import { atMost, type Section } from '../harness/section.ts';
import { seedDirectory } from '../open/seed-directory.ts';
import { markdownKinds, replyOf, type MarkdownKind } from './markdown-kinds.ts';

/** W. The web app in headless Chromium: first load, frames while text streams, a long list, and memory. */
export async function measureWebApp(plan: Plan): Promise<Section> {
  const seconds = plan.isQuick ? 2 : 6;
  const sessions = plan.isQuick ? 300 : 10_000;
  const replies = plan.isQuick ? 3 : 30;
  await using app = await serveApp({ prepare: (data) => seedDirectory(data, sessions) });
  await using browser = await launchChromium();
  const open = async (place: string) => {
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    await page.goto(await app.link());
    await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor();
    if (place !== '/') await page.goto(`${app.url}${place}`);
    return { page, protocol: await page.context().newCDPSession(page) };
  };
  const load = await firstLoad(await open('/settings'), app);
  const streamed: { kind: MarkdownKind; rate: number; slowdown: number; p95: number; worst: number }[] = [];
  for (const { rate, slowdown } of [
    { rate: 1000, slowdown: 1 },
    { rate: 80, slowdown: 4 },
    ...(plan.isQuick
      ? []
      : [
          { rate: 80, slowdown: 1 },
          { rate: 1000, slowdown: 4 },
        ]),
  ])
    for (const kind of markdownKinds) {
      const session = await app.create({ title: `${kind} ${rate}` });
      const opened = await open(`/s/${session}`);
      await opened.protocol.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
      const frames = await framesWhile(opened.page, () =>
        stream(app, opened.page, replyOf(kind, { rate, seconds })),
      );
      streamed.push({ kind, rate, slowdown, p95: shareOf(frames, 0.95), worst: Math.max(...frames) });
      await opened.page.context().close();
    }
  const heap = await heapGrowth(await open(`/s/${await app.create({ title: 'Heap' })}`), app, replies);
  const list = await longList(await open('/'), sessions);
  const p95 = (rate: number, slowdown: number) =>
    Math.max(...streamed.filter((one) => one.rate === rate && one.slowdown === slowdown).map((one) => one.p95));
  return {
    title: 'W. Web app',
    work:
      'Headless Chromium opens the built app of a real server. A provider on this machine streams each kind of ' +
      `Markdown for ${seconds} s, and the page records the time between its frames. Slow CPU: four times slower. ` +
      `The list has ${sessions.toLocaleString('en')} stored sessions. Heap: after garbage collection, before and ` +
      `after ${replies} replies in one open session.`,
    tables: [
      {
        title: 'First load, nothing cached',
        head: ['', 'kB transferred', 'ms to the list'],
        rows: [['Rondo', load.bytes / 1000, load.ms]],
      },
      {
        title: 'Frames while a reply streams',
        head: ['kind', 'tokens per second', 'CPU', '95 % of frames within ms', 'longest ms'],
        rows: streamed.map(({ kind, rate, slowdown, p95: most, worst }) => [
          kind,
          rate,
          slowdown === 1 ? 'normal' : `${slowdown}× slower`,
          most,
          worst,
        ]),
      },
      {
        title: 'List of stored sessions',
        head: ['sessions', 'scrolling: 95 % of frames within ms', 'search ms', 'filter ms'],
        rows: [[sessions, list.p95, list.searchMs, list.filterMs]],
      },
      {
        title: 'JavaScript heap',
        head: ['replies', 'before MB', 'after MB'],
        rows: [[replies, heap.before / 1e6, heap.after / 1e6]],
      },
    ],
    figures: [
      atMost('Web app: first load', load.bytes / 1000, 120, { of: 'amount', unit: 'kB' }),
      atMost('Web app: frames at 1,000 tokens per second, 95 % within', p95(1000, 1), 20, {
        of: 'time',
        unit: 'ms',
      }),
      atMost('Web app: frames at 80 tokens per second, slow CPU, 95 % within', p95(80, 4), 40, {
        of: 'time',
        unit: 'ms',
      }),
      atMost('Web app: frames while scrolling the list, 95 % within', list.p95, 20, { of: 'time', unit: 'ms' }),
    ],
    waitedShare: Number.NaN,
    remarks: ['Heap over an hour: section HEAP.'],
  };
}

interface Opened {
  readonly page: Page;
  readonly protocol: CDPSession;
}

async function firstLoad({ page, protocol }: Opened, app: ServedApp): Promise<{ bytes: number; ms: number }> {
  await protocol.send('Network.enable');
  await protocol.send('Network.setBypassServiceWorker', { bypass: true });
  await protocol.send('Network.setCacheDisabled', { cacheDisabled: true });
  let bytes = 0;
  protocol.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  const from = performance.now();
  await page.goto(`${app.url}/`);
  await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor();
  const ms = performance.now() - from;
  await page.context().close();
  return { bytes, ms };
}

async function stream(app: ServedApp, page: Page, reply: ReturnType<typeof replyOf>): Promise<void> {
  app.provider.reply(reply);
  await page.getByLabel('Message to the agent').fill('Go');
  await page.keyboard.press('Enter');
  await page.locator('article .markdown').last().getByText('The end.').waitFor({ timeout: 120_000 });
}

/** The times between frames while the work runs. */
async function framesWhile(page: Page, work: () => Promise<void>): Promise<readonly number[]> {
  await page.evaluate(`(() => {
    const times = (globalThis.frameTimes = []);
    const next = (time) => { times.push(time); globalThis.frameRequest = requestAnimationFrame(next); };
    globalThis.frameRequest = requestAnimationFrame(next);
  })()`);
  await work();
  const times = await page.evaluate<readonly number[]>(
    '(cancelAnimationFrame(globalThis.frameRequest), globalThis.frameTimes)',
  );
  return times.slice(1).map((time, at) => time - (times[at] ?? time));
}

async function heapGrowth({ page, protocol }: Opened, app: ServedApp, replies: number) {
  const used = async () => {
    await protocol.send('HeapProfiler.collectGarbage');
    return (await protocol.send('Runtime.getHeapUsage')).usedSize;
  };
  const send = () => stream(app, page, replyOf('everything', { rate: 1000, seconds: 1 }));
  await send();
  const before = await used();
  for (let reply = 0; reply < replies; reply += 1) {
    await send();
    await page.locator('[data-phase=idle]').waitFor();
  }
  return { before, after: await used() };
}

async function longList({ page }: Opened, count: number) {
  const list = page.getByRole('region', { name: 'List of sessions' });
  await list.waitFor();
  const frames = await framesWhile(page, async () => {
    for (let step = 0; step < 120; step += 1) {
      await list.evaluate((frame) => (frame.scrollTop += 300));
      await page.evaluate('new Promise(requestAnimationFrame)');
    }
  });
  const timed = async (act: () => Promise<void>) => {
    const from = performance.now();
    await act();
    return performance.now() - from;
  };
  const searchMs = await timed(async () => {
    await page.getByLabel('Search sessions').fill(`Session ${count - 1}`);
    await page.getByRole('button', { name: /^All 1$/ }).waitFor();
  });
  await page.getByLabel('Search sessions').fill('');
  const filterMs = await timed(async () => {
    await page.getByRole('button', { name: /^Failed/ }).click();
    await page.getByText('No matching sessions').waitFor();
  });
  return { p95: shareOf(frames, 0.95), searchMs, filterMs };
}

function shareOf(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;
}
