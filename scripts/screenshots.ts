// Screenshots for the README, of real sessions in the real web app: `node scripts/screenshots.ts [--out FOLDER]`.
// Build the app first (`npm run build:web`). The tests' fake provider supplies the agent's text.

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';

import type { Page } from 'playwright-core';

import { launchChromium } from '../test/browser/chromium.ts';
import { serveApp } from '../test/browser/served-app.ts';
import { scriptOptions } from './script-options.ts';

const values = scriptOptions(
  `node scripts/screenshots.ts [--out FOLDER]

Takes the pictures of the README, of real sessions in the web app. Build it first: npm run build:web.

  --out FOLDER  where to (default: docs/images)`,
  { out: { type: 'string', default: 'docs/images' } },
);
mkdirSync(values.out, { recursive: true });
// The server in the screenshots is the published command.
await import('./build-tested.ts');

const cart = `export interface Item {
  readonly name: string;
  readonly price: number;
}

export function total(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + item.price, 0);
}
`;
await using app = await serveApp({
  files: { 'src/cart.ts': cart, 'src/cart.test.ts': "test('adds up', () => {});\n", 'README.md': '# Shop\n' },
});
execFileSync('git', ['init', '-q'], { cwd: app.project });
const browser = await launchChromium();
const usage = (input: number, output: number) => ({ input, output });

// Sessions in four states: finished, asking, working, queued.
const fixed = await app.create({ title: 'Totals are off by a cent' });
app.provider.reply(
  {
    reasoning: 'Sums of floating-point prices drift. Counting in cents avoids it.',
    text: 'I read the cart first.',
    calls: [
      { name: 'read', args: { path: 'src/cart.ts' } },
      { name: 'grep', args: { pattern: 'price', path: 'src' } },
    ],
    usage: usage(8200, 410),
  },
  {
    text: `The sum is taken over floating-point numbers, and \`0.1 + 0.2\` is not \`0.3\`. Counting in **cents** is exact:

| prices | now | in cents |
|---|---|---|
| 0.10, 0.20 | 0.30000000000000004 | 0.30 |
| 19.99 × 3 | 59.97 | 59.97 |

\`\`\`ts
export function total(items: readonly Item[]): number {
  const cents = items.reduce((sum, item) => sum + Math.round(item.price * 100), 0);
  return cents / 100;
}
\`\`\`

I’ll make this change and run the tests.`,
    calls: [
      {
        name: 'edit',
        args: {
          path: 'src/cart.ts',
          edits: [
            {
              old_text: '  return items.reduce((sum, item) => sum + item.price, 0);',
              new_text:
                '  const cents = items.reduce((sum, item) => sum + Math.round(item.price * 100), 0);\n  return cents / 100;',
            },
          ],
        },
      },
    ],
    usage: usage(12_400, 960),
  },
);
await app.chat(fixed, 'The total of a cart is off by a cent now and then. Find out why and fix it.');
await settled(fixed, 'waiting');

const cleaning = await app.create({ title: 'Clear out old builds' });
app.provider.reply({
  calls: [{ name: 'shell', args: { command: 'du -sh dist && rm -rf dist/old | tee clean.log' } }],
  usage: usage(3100, 120),
});
await app.chat(cleaning, 'Remove the builds nobody needs.');
await settled(cleaning, 'waiting');

const writing = await app.create({ title: 'Write the release notes' });
app.provider.reply({
  text: 'Reading the log of this week, commit by commit. '.repeat(60),
  chunkMs: 400,
  usage: usage(5200, 700),
});
await app.chat(writing, 'Release notes for this week, please.');
const idle = await app.create({ title: 'Explain the checkout flow' });
app.provider.respond(() => ({
  text: 'The checkout has three steps: cart, address, payment.',
  usage: usage(2400, 300),
}));
await app.chat(idle, 'How does the checkout work?');
await settled(idle, 'idle');

await shoot('home', '/', { isDark: false });
await shoot('session', `/s/${fixed}`, { isDark: true });
await shoot('inbox', '/inbox', { isDark: false });
await shoot('phone', `/s/${cleaning}`, { isDark: true, viewport: { width: 390, height: 844 } });
await browser.close();

interface Look {
  readonly isDark: boolean;
  readonly viewport?: { readonly width: number; readonly height: number };
}

async function shoot(
  name: string,
  place: string,
  { isDark, viewport = { width: 1200, height: 760 } }: Look,
): Promise<void> {
  const context = await browser.newContext({
    viewport,
    colorScheme: isDark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  });
  const page: Page = await context.newPage();
  await page.goto(await app.link());
  await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor();
  await page.goto(`${app.url}${place}`);
  await page.locator('#main h1').first().waitFor();
  await page.waitForTimeout(1500);
  await page.screenshot({ path: path.join(values.out, `${name}.png`) });
  await context.close();
  console.log(`${name}.png`);
}

async function settled(session: string, state: string): Promise<void> {
  for (;;) {
    const { lifecycle } = await app.call<{ lifecycle: string }>('GET', `/sessions/${session}`);
    if (lifecycle === state) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
