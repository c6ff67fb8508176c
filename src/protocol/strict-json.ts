/** Parses JSON that every reader understands alike: it rejects duplicate keys and deep nesting. */
type ParsedJson =
  | { readonly type: 'parsed'; readonly value: unknown }
  | { readonly type: 'invalid'; readonly reason: string };

const deepest = 64;

export function parseStrictJson(text: string): ParsedJson {
  const depthOrKey = scan(text);
  if (depthOrKey !== undefined) return { type: 'invalid', reason: depthOrKey };
  try {
    return { type: 'parsed', value: JSON.parse(text) as unknown };
  } catch {
    return { type: 'invalid', reason: 'it is not JSON' };
  }
}

/** Scans only strings and brackets; `JSON.parse` finds other errors. */
function scan(text: string): string | undefined {
  const open: (Set<string> | 'array')[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : 'array');
      if (open.length > deepest) return `it is nested deeper than ${deepest}`;
    } else if (char === '}' || char === ']') {
      open.pop();
    } else if (char === '"') {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      if (keys instanceof Set && isKey(text, end)) {
        const key = unquoted(text.slice(at, end));
        if (keys.has(key)) return `the key ${JSON.stringify(key)} stands in it twice`;
        keys.add(key);
      }
      at = end - 1;
    }
  }
  return undefined;
}

/** The index after the closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function isKey(text: string, end: number): boolean {
  let at = end;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return text[at] === ':';
}

/** `"a"` and `"\u0061"` are the same key. */
function unquoted(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal;
  }
}
