import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { setStage } from './stage.ts';

const stage = setStage({});

/** Every kind of Markdown that used to be drawn again with each word. */
const written = [
  'Here is the plan:',
  '',
  ...Array.from({ length: 120 }, (_, index) => `${index + 1}. Step **${index + 1}** of the plan`),
  '',
  '| file | lines |',
  '|---|---:|',
  ...Array.from({ length: 80 }, (_, index) => `| src/part-${index}.ts | ${index} |`),
  '',
  '```ts',
  ...Array.from({ length: 120 }, (_, index) => `const value${index} = ${index};`),
  '```',
  '',
  'Done.',
].join('\n');

interface Drawn {
  /** Nodes of the finished reply, text included. */
  readonly nodes: number;
  /** Nodes that all updates together added. */
  readonly added: number;
  /** Tags and text at the last update. */
  readonly structure: string;
  readonly text: string;
}

/** Streams a reply and counts what is drawn, which doesn't depend on the speed of the machine. */
async function drawnBy(page: Page, text: string): Promise<Drawn> {
  // Until the Markdown code has loaded, text is drawn plainly and again with each update.
  stage.app.provider.reply({ text: '**Ready**' });
  await page.getByLabel('Message to the agent').fill('Are you ready?');
  await page.keyboard.press('Enter');
  await page.locator('article .markdown strong').waitFor();
  await page.locator('[data-phase=idle]').waitFor();
  stage.app.provider.reply({ text, chunkMs: 1 });
  await page.evaluate(() => {
    const counted = globalThis as unknown as { added: number; structure: string; text: string };
    counted.added = 0;
    counted.structure = '';
    counted.text = '';
    const size = (node: Node): number => 1 + [...node.childNodes].reduce((sum, child) => sum + size(child), 0);
    new MutationObserver((records) => {
      const writing = document.querySelector('[data-writing] .markdown');
      if (writing === null) return;
      counted.text = (writing as HTMLElement).innerText;
      counted.structure = [...writing.children].map((child) => child.tagName).join(' ');
      for (const { addedNodes, target } of records) {
        if (writing.contains(target)) for (const node of addedNodes) counted.added += size(node);
      }
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.getByLabel('Message to the agent').fill('Plan it');
  await page.keyboard.press('Enter');
  const reply = page.locator('article .markdown').last();
  await reply.getByText('Done.').waitFor();

  const nodes = await reply.evaluate((markdown) => {
    const size = (node: Node): number => 1 + [...node.childNodes].reduce((sum, child) => sum + size(child), 0);
    return size(markdown);
  });
  const counted = await page.evaluate(() => {
    const { added, structure, text: last } = globalThis as unknown as Omit<Drawn, 'nodes'>;
    return { added, structure, text: last };
  });
  return { nodes, ...counted };
}

test('[C95] while a reply streams, each update draws the open piece and nothing before it', async () => {
  const session = await stage.app.create({ title: 'Long reply' });
  const page = await stage.open(`/s/${session}`);
  const { nodes, added, structure } = await drawnBy(page, written);
  expect(await page.locator('article .markdown ol > li').count()).toBe(120);
  // While it streamed, it already was one list, one table and one block of code.
  expect(structure).toMatch(/^P OL DIV FIGURE/);
  // Drawing everything again with each update added many times the nodes of the reply.
  expect(added).toBeGreaterThan(0);
  expect(added / nodes).toBeLessThan(4);
});

const many = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

/** One open piece each: it grows until the end of the reply. */
test.for([
  ['a quote', many(120, (index) => `> Line **${index}** of the quote with \`code\`.\n>`)],
  ['a quote in a quote', many(120, (index) => `> > Line ${index}, *deep*\n> >`)],
  ['a list in an item', `1. Steps:\n${many(120, (index) => `   - Step **${index}**`)}`],
  [
    'code in an item',
    `- Run this:\n\n  \`\`\`ts\n${many(120, (index) => `  const value${index} = ${index};`)}\n  \`\`\``,
  ],
  ['a paragraph of links', many(120, (index) => `See [file ${index}](https://example.org/${index}) and`)],
  ['HTML as text', many(120, (index) => `<div class="x">${index}</div> <b>bold</b>`)],
  ['footnotes', many(120, (index) => `Word[^${index}] and [^${index}]: note **${index}**`)],
] as const)('[C95] %s that grows draws only what it gained', async ([, text]) => {
  const session = await stage.app.create({ title: 'One open piece' });
  const page = await stage.open(`/s/${session}`);
  const drawn = await drawnBy(page, `${text}\n\nDone.`);
  expect(drawn.added / drawn.nodes).toBeLessThan(4);
  const words = (shown: string) => shown.replaceAll(/\s+/g, ' ').trim();
  const reply = words(await page.locator('article .markdown').last().innerText());
  expect(reply.startsWith(words(drawn.text).slice(0, -20))).toBe(true);
});
