/**
 * The MCP servers in Codex's `config.toml`. Reads what Codex writes there: tables `[mcp_servers.NAME]`, strings,
 * numbers, booleans, arrays and inline tables. A value of another kind is left out.
 */
export function serversInToml(text: string): Readonly<Record<string, unknown>> {
  const servers: Record<string, Record<string, unknown>> = {};
  let table: Record<string, unknown> | undefined;
  for (const statement of statementsOf(text)) {
    const header = /^\[\s*([^[\]]+?)\s*\]$/.exec(statement)?.[1];
    if (header !== undefined || statement.startsWith('[')) {
      const [root, name, ...below] = keysOf(header ?? '');
      table = root === 'mcp_servers' && name !== undefined ? tableAt((servers[name] ??= {}), below) : undefined;
      continue;
    }
    const [, key, value = ''] = /^("[^"]*"|'[^']*'|[\w-]+)\s*=\s*([\s\S]*)$/.exec(statement) ?? [];
    const read = key === undefined ? undefined : valueAt(value, 0)?.value;
    if (table !== undefined && key !== undefined && read !== undefined) table[unquoted(key)] = read;
  }
  return servers;
}

function tableAt(from: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return keys.reduce<Record<string, unknown>>(
    (table, key) => (table[key] ??= {}) as Record<string, unknown>,
    from,
  );
}

/** Lines without comments. An array over several lines is one statement. */
function statementsOf(text: string): readonly string[] {
  const statements: string[] = [];
  let open = '';
  for (const line of text.split('\n')) {
    open += open === '' ? line : `\n${line}`;
    const bare = open.replaceAll(/"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/g, (quoted) => 'q'.repeat(quoted.length));
    const comment = bare.lastIndexOf('#');
    if (comment > bare.lastIndexOf('\n')) open = open.slice(0, comment);
    const plain = bare.slice(0, open.length);
    if (depthOf(plain) > 0) continue;
    if (open.trim() !== '') statements.push(open.trim());
    open = '';
  }
  return statements;
}

function depthOf(text: string): number {
  return (text.match(/[[{]/g)?.length ?? 0) - (text.match(/[\]}]/g)?.length ?? 0);
}

function keysOf(header: string): readonly string[] {
  return [...header.matchAll(/"[^"]*"|'[^']*'|[\w-]+/g)].map(([key]) => unquoted(key));
}

function unquoted(word: string): string {
  return word.replace(/^(["'])([\s\S]*)\1$/, '$2');
}

interface Read {
  readonly value: unknown;
  readonly end: number;
}

/** The value at a place, and where it ends. Undefined if it is of another kind. */
function valueAt(text: string, from: number): Read | undefined {
  const at = skipped(text, from);
  const rest = text.slice(at);
  const basic = /^"(?:[^"\\\n]|\\.)*"/.exec(rest)?.[0];
  if (basic !== undefined) return { value: stringOf(basic), end: at + basic.length };
  const literal = /^'[^'\n]*'/.exec(rest)?.[0];
  if (literal !== undefined) return { value: literal.slice(1, -1), end: at + literal.length };
  const word = /^(?:true|false|[+-]?\d[\d_]*(?:\.\d+)?)(?![\w.:-])/.exec(rest)?.[0];
  if (word !== undefined)
    return {
      value: word === 'true' || (word !== 'false' && Number(word.replaceAll('_', ''))),
      end: at + word.length,
    };
  if (rest.startsWith('[')) return listAt(text, at);
  return rest.startsWith('{') ? inlineTableAt(text, at) : undefined;
}

function listAt(text: string, from: number): Read | undefined {
  const items: unknown[] = [];
  let at = skipped(text, from + 1);
  while (text[at] !== ']') {
    const item = valueAt(text, at);
    if (item === undefined) return undefined;
    items.push(item.value);
    at = skipped(text, item.end);
    if (text[at] === ',') at = skipped(text, at + 1);
    else if (text[at] !== ']') return undefined;
  }
  return { value: items, end: at + 1 };
}

function inlineTableAt(text: string, from: number): Read | undefined {
  const table: Record<string, unknown> = {};
  let at = skipped(text, from + 1);
  while (text[at] !== '}') {
    const [whole, key = ''] = /^("[^"]*"|'[^']*'|[\w-]+)\s*=/.exec(text.slice(at)) ?? [];
    const item = whole === undefined ? undefined : valueAt(text, at + whole.length);
    if (item === undefined) return undefined;
    table[unquoted(key)] = item.value;
    at = skipped(text, item.end);
    if (text[at] === ',') at = skipped(text, at + 1);
    else if (text[at] !== '}') return undefined;
  }
  return { value: table, end: at + 1 };
}

function skipped(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? '')) at += 1;
  return at;
}

function stringOf(quoted: string): string {
  try {
    return JSON.parse(
      quoted.replaceAll(/\\U([0-9a-fA-F]{8})/g, (_, code: string) =>
        String.fromCodePoint(Number.parseInt(code, 16)),
      ),
    ) as string;
  } catch {
    return quoted.slice(1, -1);
  }
}
