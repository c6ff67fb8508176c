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

test('[C95] while a reply streams, each update draws the open piece and nothing before it', async () => {
  stage.app.provider.reply({ text: written, chunkMs: 1 });
  const session = await stage.app.create({ title: 'Long reply' });
  const page = await stage.open(`/s/${session}`);
  await page.evaluate(() => {
    const counted = globalThis as unknown as { added: number; structure: string };
    counted.added = 0;
    counted.structure = '';
    const size = (node: Node): number => 1 + [...node.childNodes].reduce((sum, child) => sum + size(child), 0);
    new MutationObserver((records) => {
      const writing = document.querySelector('[data-writing] .markdown');
      if (writing === null) return;
      counted.structure = [...writing.children].map((child) => child.tagName).join(' ');
      for (const { addedNodes, target } of records) {
        if (writing.contains(target)) for (const node of addedNodes) counted.added += size(node);
      }
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.getByLabel('Message to the agent').fill('Plan it');
  await page.keyboard.press('Enter');
  const reply = page.locator('article .markdown');
  await reply.getByText('Done.').waitFor();

  const nodes = await reply.evaluate((markdown) => markdown.querySelectorAll('*').length);
  const { added, structure } = await page.evaluate(() => {
    const counted = globalThis as unknown as { readonly added: number; readonly structure: string };
    return { added: counted.added, structure: counted.structure };
  });
  expect(await reply.locator('ol > li').count()).toBe(120);
  // While it streamed, it already was one list, one table and one block of code.
  expect(structure).toMatch(/^P OL DIV FIGURE/);
  // Drawing everything again with each update added many times the nodes of the reply.
  expect(added).toBeGreaterThan(0);
  expect(added / nodes).toBeLessThan(8);
});
