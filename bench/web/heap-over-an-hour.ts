import type { CDPSession, Page } from 'playwright-core';

import { launchChromium } from '../../test/browser/chromium.ts';
import { serveApp, type ServedApp } from '../../test/browser/served-app.ts';
import type { Plan } from '../harness/plan.ts';
import { atMost, type Section } from '../harness/section.ts';
import { replyOf } from './markdown-kinds.ts';

/** One browser window keeps these sessions in turn. */
const sessionCount = 4;
const seconds = 30;
const rate = 60;

interface Sample {
  readonly minute: number;
  readonly heap: number;
  readonly nodes: number;
  readonly listeners: number;
}

/** HEAP. One window of the web app in use for an hour: what is left in it after garbage collection, every minute. */
export async function measureHeapOverAnHour(plan: Plan): Promise<Section> {
  const minutes = plan.isQuick ? 3 : 60;
  await using app = await serveApp();
  await using browser = await launchChromium();
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.goto(await app.link());
  await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor();
  const protocol = await page.context().newCDPSession(page);
  const titles = Array.from({ length: sessionCount }, (_, index) => `Session ${index + 1}`);
  for (const title of titles) await app.create({ title });

  const samples: Sample[] = [];
  const from = performance.now();
  for (let minute = 1; minute <= minutes; minute += 1) {
    await useForAWhile(page, app, titles[minute % sessionCount] ?? '');
    const sample = await sampleOf(minute, protocol);
    samples.push(sample);
    process.stderr.write(`${minute}: ${(sample.heap / 1e6).toFixed(2)} MB, ${sample.nodes} nodes\n`);
    await page.waitForTimeout(Math.max(0, from + minute * 60_000 - performance.now()));
  }
  const [first] = samples;
  const half = samples.slice(Math.floor(samples.length / 2));
  const quarter = Math.max(1, Math.floor(half.length / 2));
  const middle = (of: readonly Sample[]) => median(of.map(({ heap }) => heap)) / 1e6;
  const rise = middle(half.slice(-quarter)) - middle(half.slice(0, quarter));
  const row = (name: string, { heap, nodes, listeners }: Sample) => [name, heap / 1e6, nodes, listeners];
  return {
    title: 'HEAP. The web app in use for an hour',
    work:
      `One window of headless Chromium goes through ${sessionCount} sessions in turn for ${minutes} minutes. Each ` +
      `minute it opens one from the list, sends a prompt, follows a reply of every kind of Markdown at ${rate} ` +
      `tokens per second for ${seconds} s, and looks at its timeline and at the list. Then garbage is collected and ` +
      'the heap is read. Rise: the median of the last quarter less that of the third.',
    tables: [
      {
        title: 'After garbage collection',
        head: ['', 'heap MB', 'DOM nodes', 'listeners'],
        rows: [
          ...(first === undefined ? [] : [row('first minute', first)]),
          ...samples
            .filter(({ minute }) => minute % Math.max(1, minutes / 6) === 0)
            .map((one) => row(`minute ${one.minute}`, one)),
        ],
      },
    ],
    plots: [
      {
        name: 'web-heap',
        title: 'JavaScript heap of one window, after garbage collection',
        x: { label: 'minutes', scale: 'linear' },
        y: { label: 'MB', scale: 'linear' },
        curves: [
          {
            title: 'Rondo',
            of: 'rondo',
            points: samples.map(({ minute, heap }) => [minute, heap / 1e6] as const),
          },
        ],
      },
    ],
    figures: [atMost('Web app: rise of the heap in half an hour of use', rise, 1, { of: 'amount', unit: 'MB' })],
    waitedShare: Number.NaN,
    remarks: [],
  };
}

async function useForAWhile(page: Page, app: ServedApp, title: string): Promise<void> {
  const visit = (name: string) => page.getByRole('link', { name, exact: false }).first().click();
  await page.getByRole('region', { name: 'List of sessions' }).getByText(title, { exact: true }).click();
  app.provider.reply(replyOf('everything', { rate, seconds }));
  await page.getByLabel('Message to the agent').fill('Go');
  await page.keyboard.press('Enter');
  await page.locator('[data-phase]:not([data-phase=idle])').waitFor();
  await page.locator('[data-phase=idle]').waitFor({ timeout: 120_000 });
  await visit('Timeline');
  await page.waitForTimeout(500);
  await visit('Sessions');
  await page.getByRole('region', { name: 'List of sessions' }).waitFor();
  await page.waitForTimeout(500);
}

async function sampleOf(minute: number, protocol: CDPSession): Promise<Sample> {
  await protocol.send('HeapProfiler.collectGarbage');
  const { usedSize: heap } = await protocol.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners: listeners } = await protocol.send('Memory.getDOMCounters');
  return { minute, heap, nodes, listeners };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
