/**
 * The readable text of an HTML page: no scripts, styles or markup, each block on a separate line, links with their
 * URL. One pass over the text. Unclosed markup ends with the page.
 */
export function htmlToText(html: string): string {
  const out: string[] = [];
  let links: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open === -1) {
      out.push(decodeEntities(html.slice(at)));
      break;
    }
    out.push(decodeEntities(html.slice(at, open)));
    const tag = tagAt(html, open);
    at = tag.end;
    if (SILENT.has(tag.name) && !tag.closing) at = skipElement(html, at, tag.name);
    if (tag.name === '') out.push('<');
    else if (tag.name === 'li' && !tag.closing) out.push('\n- ');
    else if (/^h[1-6]$/.test(tag.name)) out.push(tag.closing ? '\n\n' : `\n\n${'#'.repeat(Number(tag.name[1]))} `);
    else if (tag.name === 'td' || tag.name === 'th') out.push(tag.closing ? '\t' : '');
    else if (BLOCKS.has(tag.name)) out.push('\n');
    else if (tag.name === 'a' && !tag.closing) links.push(hrefOf(tag.text));
    else if (tag.name === 'a') {
      const href = links.at(-1) ?? '';
      links = links.slice(0, -1);
      if (/^https?:/.test(href)) out.push(` (${href})`);
    }
  }
  return tidy(out.join(''));
}

interface Tag {
  readonly name: string;
  readonly closing: boolean;
  readonly text: string;
  readonly end: number;
}

function tagAt(html: string, open: number): Tag {
  if (html.startsWith('<!--', open)) {
    const end = html.indexOf('-->', open + 4);
    return { name: '!', closing: false, text: '', end: end === -1 ? html.length : end + 3 };
  }
  const begin = /^<(\/?)([a-zA-Z][\w:-]*)/.exec(html.slice(open, open + 64));
  if (begin === null && !/^<[!?]/.test(html.slice(open, open + 2)))
    return { name: '', closing: false, text: '', end: open + 1 };
  let quote = '';
  for (let end = open + 1; end < html.length; end += 1) {
    const character = html.charAt(end);
    if (quote !== '') quote = character === quote ? '' : quote;
    else if ((character === '"' || character === "'") && html[end - 1] === '=') quote = character;
    else if (character === '>') {
      return {
        name: begin?.[2]?.toLowerCase() ?? '!',
        closing: begin?.[1] === '/',
        text: html.slice(open, end),
        end: end + 1,
      };
    }
  }
  return { name: '!', closing: false, text: '', end: html.length };
}

function skipElement(html: string, from: number, name: string): number {
  const close = new RegExp(`</${name}[\\s>]`, 'gi');
  close.lastIndex = from;
  const match = close.exec(html);
  return match === null ? html.length : match.index;
}

function hrefOf(tag: string): string {
  const match = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(tag);
  return decodeEntities(match?.[1] ?? match?.[2] ?? match?.[3] ?? '');
}

function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replaceAll(/[ \u{a0}\r\f]+/gu, ' ').trim())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&(#x?[\da-f]{1,6}|\w{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES.get(name) ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
    return Number.isNaN(code) || code > 0x10_ff_ff ? whole : String.fromCodePoint(code);
  });
}

const SILENT: ReadonlySet<string> = new Set(
  'script style noscript template svg iframe object head select textarea canvas math'.split(' '),
);
const BLOCKS: ReadonlySet<string> = new Set(
  [
    'p div br hr ul ol table tr section article header footer main nav aside pre',
    'blockquote form figure figcaption dl dt dd title details summary body',
  ]
    .join(' ')
    .split(' '),
);
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['nbsp', ' '],
  ...`
amp& lt< gt> quot" apos' copy© reg® trade™ hellip… mdash— ndash– lsquo‘ rsquo’ ldquo“ rdquo”
laquo« raquo» bull• middot· times× rarr→ larr← deg° euro€ pound£ sect§ para¶
`
    .trim()
    .split(/\s+/)
    .map((pair): [string, string] => [pair.slice(0, -1), pair.slice(-1)]),
]);
