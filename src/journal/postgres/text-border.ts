/**
 * PostgreSQL's text holds neither NUL nor half of a surrogate pair. Both are escaped on the way in and restored on
 * the way out, with a control character that is escaped itself.
 */
const mark = '\u001a';
// oxlint-disable-next-line no-control-regex -- these characters are the subject
const special = /[\u0000\u001a]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export function toText(text: string): string {
  if (text.isWellFormed() && !text.includes('\0') && !text.includes(mark)) return text;
  return text.replaceAll(special, (one) => `${mark}${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function fromText(text: string): string {
  if (!text.includes(mark)) return text;
  return text.replaceAll(marked, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

// oxlint-disable-next-line no-control-regex -- these characters are the subject
const marked = /\u001a([0-9a-f]{4})/g;

/** As jsonb, which refuses the same characters even when JSON escapes them. */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!/\\u(?:0000|001a|d[89a-f])/.test(text)) return text;
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'string' ? toText(one) : one));
}

export function fromJson(text: string): unknown {
  if (!text.includes(String.raw`\u001a`)) return JSON.parse(text);
  return JSON.parse(text, (_, one: unknown) => (typeof one === 'string' ? fromText(one) : one));
}
