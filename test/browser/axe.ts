// What axe finds on a page, as `rule: elements`.
import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Checker {
  run(options: { readonly resultTypes: readonly string[] }): Promise<{
    readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
  }>;
}

export async function violationsIn(page: Page): Promise<readonly string[]> {
  // Through the debugger, because the page's policy blocks injected scripts. It stays until the page is loaded again.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as { readonly axe: Checker };
    // Every rule runs; what passes isn't described, which takes longer than the rules on a page of a thousand lines.
    const { violations } = await checker.run({ resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
  });
}
