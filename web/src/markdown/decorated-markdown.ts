/** Markdown plus the page's additions: language and copy button on code, and colors, math and diagrams once in sight. */
import { renderMarkdown } from './render-markdown.ts';

export function decoratedMarkdown(text: string): DocumentFragment {
  const fragment = renderMarkdown(text);
  for (const code of fragment.querySelectorAll<HTMLElement>('pre > code')) decorate(code);
  for (const code of fragment.querySelectorAll<HTMLElement>('.language-math')) inSight.observe(code);
  return fragment;
}

const inSight = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting || !(target instanceof HTMLElement)) continue;
      inSight.unobserve(target);
      // Without the server, code stays plain.
      draw(target).catch(() => undefined);
    }
  },
  { rootMargin: '200px' },
);

function decorate(code: HTMLElement): void {
  const pre = code.parentElement;
  const language = languageOf(code);
  if (pre === null || language === 'math') return;
  const frame = document.createElement('figure');
  frame.className = 'code';
  const head = document.createElement('figcaption');
  const name = document.createElement('span');
  name.textContent = language;
  const copy = document.createElement('button');
  copy.type = 'button';
  copy.textContent = 'Copy';
  copy.addEventListener('click', () => {
    void navigator.clipboard.writeText(code.textContent).then(() => {
      copy.textContent = 'Copied';
      setTimeout(() => (copy.textContent = 'Copy'), 1500);
    });
  });
  head.append(name, copy);
  pre.replaceWith(frame);
  pre.tabIndex = 0;
  pre.setAttribute('aria-label', language === '' ? 'Code' : `Code, ${language}`);
  pre.setAttribute('role', 'region');
  frame.append(head, pre);
  if (language !== '') inSight.observe(code);
}

/** A formula or a diagram takes the place of its source once the source has stopped growing. */
async function draw(code: HTMLElement): Promise<void> {
  const language = languageOf(code);
  if (language !== 'math' && language !== 'mermaid') return await color(code);
  const source = code.textContent;
  await new Promise((resolve) => setTimeout(resolve, settledMs));
  if (!code.isConnected) return;
  if (code.textContent !== source) return inSight.observe(code);
  if (language === 'math') {
    const { drawMath } = await import('./draw-math.ts');
    const frame = code.parentElement?.tagName === 'PRE' ? code.parentElement : code;
    const math = drawMath(source, { isBlock: frame !== code });
    if (math !== undefined) frame.replaceWith(math);
    return;
  }
  const { drawDiagram } = await import('./draw-diagram.ts');
  const image = await drawDiagram(source);
  const pre = code.closest('pre');
  if (image === undefined || pre === null || code.textContent !== source) return await color(code);
  const toggle = document.createElement('button');
  toggle.type = 'button';
  const show = (isSource: boolean) => {
    pre.hidden = !isSource;
    image.hidden = isSource;
    toggle.textContent = isSource ? 'Show diagram' : 'Show source';
  };
  toggle.addEventListener('click', () => show(!image.hidden));
  show(false);
  pre.before(image);
  pre.closest('figure')?.querySelector('figcaption > :last-child')?.before(toggle);
}

const settledMs = 250;

async function color(code: HTMLElement): Promise<void> {
  const { highlight } = await import('./highlight.ts');
  const text = code.textContent;
  const lines = await highlight(text.replace(/\n$/, ''), languageOf(code));
  if (lines === undefined || code.textContent !== text) return;
  const pieces = lines.flatMap((line, index) => [
    ...(index === 0 ? [] : [document.createTextNode('\n')]),
    ...line.map(({ text: content, className }) => {
      if (className === '') return document.createTextNode(content);
      const span = document.createElement('span');
      span.className = className;
      span.textContent = content;
      return span;
    }),
  ]);
  code.replaceChildren(...pieces);
}

function languageOf(code: HTMLElement): string {
  return /language-(\S+)/.exec(code.className)?.[1] ?? '';
}
