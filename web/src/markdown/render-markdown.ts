/**
 * Renders agents' Markdown as a page fragment. Agents' text is never trusted:
 *
 * 1. HTML in it is shown as text, not interpreted. The generated HTML is sanitized again.
 * 2. Only http, https and mailto links are allowed, each marked as external. Images become links, so nothing is
 *    ever fetched.
 */
import DOMPurify from 'dompurify';
import { Marked } from 'marked';

import { mathSyntax } from './math-syntax.ts';

const tags =
  'a blockquote br code del em h1 h2 h3 h4 h5 h6 hr li ol p pre span strong table tbody td th thead tr ul'.split(
    ' ',
  );

const marked = new Marked(mathSyntax(escaped), {
  gfm: true,
  breaks: false,
  renderer: {
    html: ({ text }) => escaped(text),
    // Text between tags such as <pre>, which are plain text here, would otherwise be interpreted as HTML.
    text: (token) => ('escaped' in token && token.escaped ? escaped(token.text) : false),
    image: ({ href, text }) => `<a href="${escaped(href)}">${escaped(text === '' ? href : text)}</a>`,
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
});

export function renderMarkdown(text: string): DocumentFragment {
  const html = marked.parse(text, { async: false });
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: ['href', 'class', 'start', 'align'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    // Only `href` holds an address.
    ADD_URI_SAFE_ATTR: ['start', 'align'],
    ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const named of fragment.querySelectorAll('[class]')) {
    const language = /^language-([\w+#-]{1,30})$/.exec(named.className)?.[1];
    if (language === undefined || named.tagName !== 'CODE') named.removeAttribute('class');
  }
  for (const link of fragment.querySelectorAll('a')) markLink(link);
  for (const table of fragment.querySelectorAll('table')) scrollable(table);
  return fragment;
}

function markLink(link: HTMLAnchorElement): void {
  // An empty address would reload this page.
  if (link.getAttribute('href') === '') link.removeAttribute('href');
  if (!link.hasAttribute('href')) return;
  link.rel = 'noopener noreferrer nofollow';
  link.target = '_blank';
  link.className = 'external';
  link.title = `Opens ${link.href}`;
}

function scrollable(table: HTMLTableElement): void {
  const frame = document.createElement('div');
  frame.className = 'table-frame';
  table.replaceWith(frame);
  frame.append(table);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
