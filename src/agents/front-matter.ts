import { fieldsOf } from '../kernel/json-object.ts';
import type { ParsedDocument, PlaceOf } from './config-document.ts';
import { problemAt, type ConfigProblem } from './config-problem.ts';

type FrontMatter =
  | {
      readonly type: 'parsed';
      readonly document: Extract<ParsedDocument, { type: 'parsed' }>['document'];
      readonly body: string;
    }
  | { readonly type: 'invalid'; readonly problems: readonly ConfigProblem[] };

const opening = /^\uFEFF?---[ \t]*\r?\n/;
const closing = /^---[ \t]*(?:\r?\n|$)/m;

/** Parses Markdown with optional YAML between `---` lines at the top. Positions count from the file's first line. */
export async function parseFrontMatter(text: string, file: string): Promise<FrontMatter> {
  const opened = opening.exec(text)?.[0];
  if (opened === undefined) {
    return {
      type: 'parsed',
      document: { file, value: {}, placeOf: () => ({ line: 1, column: 1 }) },
      body: text.trim(),
    };
  }
  const rest = text.slice(opened.length);
  const closed = closing.exec(rest);
  if (closed === null) {
    const message = 'the front matter that starts here has no closing --- line.';
    return { type: 'invalid', problems: [problemAt({ file, line: 1, column: 1 }, [], 'syntax', message)] };
  }
  const parsed = await parseYaml(rest.slice(0, closed.index), file, 1);
  if (parsed.type === 'invalid') return parsed;
  return { ...parsed, body: rest.slice(closed.index + closed[0].length).trim() };
}

interface Facts {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Front matter of a text that isn't written for Rondo. If it isn't YAML, it is read line by line, as other tools do. */
export async function looseFrontMatter(text: string, file: string): Promise<Facts> {
  const parsed = await parseFrontMatter(text, file);
  if (parsed.type === 'invalid') return plainFrontMatter(text) ?? { facts: {}, body: text.trim() };
  const { value } = parsed.document;
  return {
    facts: fieldsOf(value),
    body: parsed.body,
  };
}

/** Each line `key: value` by itself, whatever YAML would say. Undefined if it isn't closed. */
function plainFrontMatter(text: string): Facts | undefined {
  const rest = text.slice(opening.exec(text)?.[0].length ?? 0);
  const closed = closing.exec(rest);
  if (closed === null) return undefined;
  const lines = [...rest.slice(0, closed.index).matchAll(/^([\w-]+):[ \t]+(.+?)[ \t]*\r?$/gm)];
  return {
    facts: Object.fromEntries(
      lines.map(([, key = '', value = '']) => [key, value.replace(/^(["'])(.*)\1$/, '$2')]),
    ),
    body: rest.slice(closed.index + closed[0].length).trim(),
  };
}

async function parseYaml(source: string, file: string, linesAbove: number): Promise<ParsedDocument> {
  const { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  // no custom tags
  const document = parseDocument(source, {
    lineCounter: lines,
    uniqueKeys: true,
    customTags: [],
    prettyErrors: false,
    // The schema reports problems, so the parser doesn't print warnings.
    logLevel: 'error',
  });
  const placeAt = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: line + linesAbove, column: col };
  };
  const [error] = document.errors;
  if (error !== undefined) {
    const problem = problemAt({ file, ...placeAt(error.pos[0]) }, [], 'syntax', `invalid YAML: ${error.message}`);
    return { type: 'invalid', problems: [problem] };
  }
  const placeOf: PlaceOf = (path, part = 'value') => {
    let node: unknown = document.contents;
    let offset = 0;
    for (const [index, key] of path.entries()) {
      let next: unknown;
      let named: unknown;
      if (isMap(node)) {
        const pair = node.items.find((item) => isScalar(item.key) && item.key.value === key);
        named = pair?.key;
        next = pair?.value;
      } else if (isSeq(node)) {
        next = named = node.items[Number(key)];
      }
      if (!isNode(named)) break;
      const wanted = index === path.length - 1 && part === 'value' && isNode(next) ? next : named;
      offset = wanted.range?.[0] ?? offset;
      node = next;
    }
    return placeAt(offset);
  };
  const value = treeOf(() => document.toJS({ maxAliasCount: 20 }) as unknown);
  if (value === undefined) {
    const message = 'its aliases (*name) are undefined, recursive or too large; write the values out.';
    return { type: 'invalid', problems: [problemAt({ file, ...placeAt(0) }, [], 'syntax', message)] };
  }
  return { type: 'parsed', document: { file, value, placeOf } };
}

/** The YAML value as a tree of limited size; aliases could expand it endlessly. */
function treeOf(read: () => unknown): unknown {
  try {
    const value = read() ?? {};
    JSON.stringify(value);
    return value;
  } catch {
    return undefined;
  }
}
