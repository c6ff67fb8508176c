/**
 * Parses a typed line as a tool call: `read src/a.ts`, `grep foo src --limit 5`, `shell npm test`, `list
 * {"path":"src"}`.
 *
 * 1. The first word is the exact name of a tool. A JSON object after it holds the arguments.
 * 2. Otherwise words fill the tool's parameters in order: required ones first, then optional ones that accept the
 *    word. `--name value` fills one by name. A `command` or `query` takes the rest of the line unchanged.
 * 3. A line with too many words, too few arguments or an open quote isn't a call: it is a prompt.
 * 4. `_` as a word is the last result. It is never inserted into a rest of the line, because a shell would execute
 *    it.
 */
import { isJsonObject, jsonIn } from '../kernel/json-object.ts';

export interface LineTool {
  readonly name: string;
  /** JSON Schema of the arguments; an object schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

interface LineCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Arguments by position may be prose (`write a poem`). Named arguments and JSON never are. */
  readonly written: 'by-position' | 'by-name';
}

interface LineScene {
  readonly tools: readonly LineTool[];
  /** The value of `_`. Absent if there is no result yet. */
  readonly last?: string | undefined;
  /** Without a model, every line must be a call, so an unknown tool name fails like any other call. */
  readonly onlyCalls: boolean;
}

export function readCallLine(line: string, { tools, last, onlyCalls }: LineScene): LineCall | undefined {
  const [, name = '', rest = ''] = /^\s*([\w-]+)(?:\s+([\s\S]*))?$/.exec(line.trimEnd()) ?? [];
  const tool = tools.find((one) => one.name === name);
  const json = jsonIn(rest);
  if (isJsonObject(json) && (tool !== undefined || onlyCalls))
    return { tool: name, args: json, written: 'by-name' };
  if (tool === undefined || rest.startsWith('{') || rest.includes('\n')) return undefined;
  const parameters = parametersOf(tool);
  const [first] = parameters;
  if (first?.required === true && takesRest.has(first.name) && rest !== '')
    return { tool: name, args: { [first.name]: rest }, written: 'by-name' };
  const words = splitWords(rest);
  return words && fill(name, parameters, words, last);
}

/** True if a text refers to the last result. */
export function namesLast(text: string): boolean {
  return /(?:^|\s)_(?=$|[\s.,;:!?])/.test(text);
}

/** Adds the last result to a prompt that refers to it. */
export function withLast(text: string, last: string): string {
  const tail = last.length > mostShown ? `${last.slice(0, mostShown)}\n[${last.length - mostShown} more]` : last;
  return `${text}\n\n\`_\` is:\n${tail}`;
}

const mostShown = 20_000;
const takesRest: ReadonlySet<string> = new Set(['command', 'query']);

interface Parameter {
  readonly name: string;
  readonly type: unknown;
  readonly choices: readonly unknown[] | undefined;
  readonly required: boolean;
}

function parametersOf({ parameters }: LineTool): readonly Parameter[] {
  const { properties = {}, required = [] } = parameters as {
    readonly properties?: Readonly<
      Record<string, { readonly type?: unknown; readonly enum?: readonly unknown[] }>
    >;
    readonly required?: readonly string[];
  };
  const all = Object.entries(properties).map(([name, { type, enum: choices }]) => ({
    name,
    type,
    choices,
    required: required.includes(name),
  }));
  return [...all.filter((one) => one.required), ...all.filter((one) => !one.required)];
}

function fill(
  tool: string,
  parameters: readonly Parameter[],
  words: readonly Word[],
  last: string | undefined,
): LineCall | undefined {
  const args: Record<string, unknown> = {};
  let written: LineCall['written'] = 'by-name';
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const text = word.text === '_' && !word.isQuoted && last !== undefined ? last.trimEnd() : word.text;
    const [, option, given] = (word.isQuoted ? null : /^--([\w-]+)(?:=([\s\S]*))?$/.exec(text)) ?? [];
    if (option === undefined) {
      const free = parameters.find((one) => !(one.name in args) && valueOf(one, text) !== undefined);
      const isOvertaken = parameters.some((one) => one.required && !(one.name in args) && one !== free);
      if (free === undefined || (isOvertaken && !free.required) || free.type === 'boolean') return undefined;
      args[free.name] = valueOf(free, text);
      written = 'by-position';
      continue;
    }
    const named = parameters.find((one) => one.name === option.replaceAll('-', '_'));
    if (named === undefined) return undefined;
    const isFlag = named.type === 'boolean' && given === undefined;
    const value = isFlag ? true : valueOf(named, given ?? words[(at += 1)]?.text ?? '');
    if (value === undefined) return undefined;
    args[named.name] = value;
  }
  if (parameters.some((one) => one.required && !(one.name in args))) return undefined;
  return { tool, args, written };
}

function valueOf({ type, choices }: Parameter, word: string): unknown {
  switch (type) {
    case 'string':
      return word !== '' && (choices === undefined || choices.includes(word)) ? word : undefined;
    case 'integer':
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(word) ? Number(word) : undefined;
    case 'boolean':
      return word === 'true' || word === 'false' ? word === 'true' : undefined;
    default:
      return undefined;
  }
}

interface Word {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** Splits words as a shell does. Undefined if a quote stays open. */
function splitWords(text: string): readonly Word[] | undefined {
  const words: Word[] = [];
  const piece = /\s+|"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"']+)/gy;
  let word: { text: string; isQuoted: boolean } | undefined;
  while (piece.lastIndex < text.length) {
    const match = piece.exec(text);
    if (match === null) return undefined;
    const [whole, double, single, bare] = match;
    const part = double?.replaceAll(/\\(.)/g, '$1') ?? single ?? bare;
    if (part === undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word = { text: (word?.text ?? '') + part, isQuoted: (word?.isQuoted ?? false) || part !== whole };
  }
  return word === undefined ? words : [...words, word];
}
