// Markdown in the browser, with text an agent might write to break out of it: the module that the page loads, in
// the page, under its own policy. For any input, the output consists of allowed tags and attributes, links only to
// http, https and mailto, stays the same when parsed again, runs nothing and fetches nothing.
import { globSync } from 'node:fs';
import path from 'node:path';

import * as fc from 'fast-check';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';

import { damagedText, hostileText } from '../proof/bad-values.ts';
import { markdownTexts } from '../proof/sound-inputs.ts';
import { createTriedInputs, patienceMs } from '../proof/tried-inputs.ts';
import { setStage } from './stage.ts';

const dist = path.resolve(import.meta.dirname, '../../web/dist');
const stage = setStage({});
const tried = createTriedInputs();
afterAll(() => process.stdout.write(`${tried.report()}\n`));

const pieces = [
  '<',
  '>',
  '</',
  '/>',
  '"',
  "'",
  '`',
  '=',
  '&',
  ';',
  '\n',
  '\n\n',
  '    ',
  '\t',
  '\0',
  ' ',
  '\\',
  '|',
  '- ',
  '> ',
  '[x](',
  '![x](',
  ')',
  '](',
  '[x]: ',
  '<http://',
  '**',
  '~~',
  '```',
  '```html\n',
  '~~~"><',
  '|---|\n',
  '1. ',
  'javascript:hacked(1)',
  'JaVaScRiPt&colon;hacked(1)',
  '&#x6a;avascript:hacked(1)',
  'java\tscript:hacked(1)',
  'data:text/html,<script>hacked(1)</script>',
  'vbscript:hacked(1)',
  'blob:',
  'file:///etc/passwd',
  '//evil.test/',
  '<script>hacked(1)</script>',
  '<img src=x onerror=hacked(1)>',
  '<svg onload=hacked(1)>',
  '<svg><script>hacked(1)',
  '<math><mtext><table><mglyph><style>',
  '<noscript>',
  '<template>',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<title>',
  '<iframe srcdoc="',
  '<object data=',
  '<base href=//evil.test/>',
  '<meta http-equiv=refresh content=0>',
  '<style>',
  '<form action=//evil.test><input name=attributes>',
  '<a id=body name=innerHTML href=',
  '<a href="',
  'onclick="',
  'style="position:fixed"',
  ' onmouseover=hacked(1) ',
  'autofocus onfocus=hacked(1)',
  '<details open ontoggle=',
  'https://evil.test/pixel.png',
  'mailto:a@evil.test',
  '<select><option>',
  '<xmp>',
  '<plaintext>',
  '<button form=',
];
const hostile = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 24 }).map((all) => all.join('')),
  },
  { weight: 2, arbitrary: damagedText([...markdownTexts, ...pieces.filter((piece) => piece.length > 8)]) },
  { weight: 1, arbitrary: hostileText },
);

interface Drawn {
  readonly html: string;
  /** Forbidden content or events. */
  readonly wrong: readonly string[];
}

interface Scope {
  decoratedMarkdown?: (text: string) => DocumentFragment;
  hacked?: (by: string) => void;
  /** Markdown in the app's page, HTML in a separate page. */
  draw?: (text: string) => Drawn;
}

const inPage = <Result>(page: Page, run: (scope: Scope) => Result): Promise<Result> =>
  page.evaluate(`(${run.toString()})(globalThis)`);

/** Runs in a page: `draw` renders one text and inspects the result. */
function prepare(scope: Scope): void {
  const happened: string[] = [];
  scope.hacked = (by) => void happened.push(by);
  document.addEventListener('securitypolicyviolation', (event) => happened.push(event.violatedDirective));
  const place = document.createElement('div');
  document.body.append(place);
  const tags =
    'A BLOCKQUOTE BR BUTTON CODE DEL DIV EM FIGCAPTION FIGURE H1 H2 H3 H4 H5 H6 HR LI OL P PRE SPAN STRONG TABLE TBODY TD TH THEAD TR UL'.split(
      ' ',
    );
  const names = 'align aria-label class href rel role start tabindex target title type'.split(' ');
  scope.draw = (text) => {
    if (scope.decoratedMarkdown === undefined) place.innerHTML = text;
    else place.replaceChildren(scope.decoratedMarkdown(text));
    const unwanted = [...place.querySelectorAll('*')].flatMap((element) => [
      ...(tags.includes(element.tagName) ? [] : [element.tagName]),
      ...element.getAttributeNames().filter((name) => !names.includes(name)),
      ...[element.getAttribute('href') ?? 'mailto:'].filter((href) => !/^(?:https?|mailto):/i.test(href)),
    ]);
    return { html: place.innerHTML, wrong: [...unwanted, ...happened.splice(0)] };
  };
}

/** The app's page with its rendering module, and an empty page without a policy. */
async function openPages(): Promise<{ app: Page; bare: Page }> {
  const [chunk = 'missing'] = globSync('assets/decorated-markdown-*.js', { cwd: dist });
  const app = await stage.open();
  const bare = await app.context().newPage();
  await app.evaluate(
    `import('/${chunk}').then((module) => { globalThis.decoratedMarkdown = module.decoratedMarkdown; })`,
  );
  for (const page of [app, bare]) await inPage(page, prepare);
  return { app, bare };
}

const draw = (page: Page, text: string): Promise<Drawn> =>
  page.evaluate((source) => (globalThis as Scope).draw?.(source) ?? { html: '', wrong: ['not prepared'] }, text);

test(
  'Markdown in the browser: whatever an agent says, nothing of it runs, is fetched or leaves its place',
  { timeout: patienceMs },
  async () => {
    const { app, bare } = await openPages();
    const outside: string[] = [];
    for (const page of [app, bare])
      page.on('request', (request) => {
        if (!request.url().startsWith(stage.app.url)) outside.push(request.url());
      });
    const isHarmless = async (text: string) => {
      const drawn = await draw(app, text);
      const again = await draw(bare, drawn.html);
      const changed = again.html === drawn.html ? [] : [`${drawn.html} became ${again.html}`];
      const wrong = [...drawn.wrong, ...again.wrong, ...changed, ...outside.splice(0)];
      if (wrong.length > 0) throw new Error(wrong.join('; '));
      return true;
    };
    expect(await tried.crashOf('Markdown in the browser', hostile, isHarmless, 2)).toBeUndefined();
    // Late scripts have run by now.
    for (const page of [app, bare])
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect([(await draw(app, '')).wrong, (await draw(bare, '')).wrong, outside]).toEqual([[], [], []]);
  },
);

test('HTML is shown as it was said, with the words between its tags; a link to nowhere is none', async () => {
  const { app } = await openPages();
  const said =
    'Say <pre>a <b>bold</b> word</pre> or <script>if (a<b>c) go()</script> or <kbd>x & y</kbd>, [here]().';
  const { html, wrong } = await draw(app, said);
  const shown = said.replace('[here]()', '<a>here</a>').replaceAll(' & ', ' &amp; ');
  const escaped = shown.replaceAll(/<(?!\/?a>)/g, '&lt;').replaceAll(/(?<!<\/?a)>/g, '&gt;');
  expect({ html, wrong }).toEqual({ html: `<p>${escaped}</p>\n`, wrong: [] });
});

test('the Markdown check notices anything that gets through', async () => {
  const { bare } = await openPages();
  const { wrong } = await draw(
    bare,
    '<img src="data:," onerror="hacked(\'it ran\')"><a href="javascript:1">x</a>',
  );
  expect(wrong).toEqual(['IMG', 'src', 'onerror', 'javascript:1']);
  await expect.poll(async () => (await draw(bare, '')).wrong).toEqual(['it ran']);
});
