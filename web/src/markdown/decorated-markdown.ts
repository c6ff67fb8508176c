/** Markdown plus the page's additions: language and copy button on code, and highlighting once it is visible. */
import { renderMarkdown } from './render-markdown.ts';

export function decoratedMarkdown(text: string): DocumentFragment {
  const fragment = renderMarkdown(text);
  for (const code of fragment.querySelectorAll<HTMLElement>('pre > code')) decorate(code);
  return fragment;
}

const inSight = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting || !(target instanceof HTMLElement)) continue;
      inSight.unobserve(target);
      void colour(target);
    }
  },
  { rootMargin: '200px' },
);

function decorate(code: HTMLElement): void {
  const pre = code.parentElement;
  if (pre === null) return;
  const language = languageOf(code);
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

async function colour(code: HTMLElement): Promise<void> {
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
