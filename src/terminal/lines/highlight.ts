/**
 * Highlights code with a small tokenizer: comments, strings, numbers, keywords, called names. It knows families of
 * languages, not grammars. Anything else stays plain.
 */
import type { Paint, Style } from '../theme.ts';

interface Family {
  readonly comment: RegExp;
  readonly string: RegExp;
  readonly keywords: ReadonlySet<string>;
}

const words = (text: string) => new Set(text.split(' '));
const quoted = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/y;
const quotedOrTemplate = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/y;
const slashes = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;
const hashes = /#[^\n]*/y;
const dashes = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;

const script: Family = {
  comment: slashes,
  string: quotedOrTemplate,
  keywords: words(
    'abstract any as async await boolean break case catch class const continue default delete do else enum export extends false finally for from function get if implements import in instanceof interface is keyof let new null number of private protected public readonly return satisfies set static string super switch this throw true try type typeof undefined unknown var void while yield',
  ),
};
const curly: Family = {
  comment: slashes,
  string: quoted,
  keywords: words(
    'auto bool break case catch char class const continue crate default defer delete do double else enum extern false final float fn for func go if impl import in int interface let long loop map match mod mut namespace new nil null nullptr override package private protected pub public range return select self short static struct super switch template this throw throws trait true try type typedef typename union unsafe use using var virtual void where while',
  ),
};
const python: Family = {
  comment: hashes,
  string: /"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/y,
  keywords: words(
    'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield',
  ),
};
const shell: Family = {
  comment: hashes,
  string: quoted,
  keywords: words(
    'case cd do done echo elif else esac exit export fi for function if in local return set then until while',
  ),
};
const data: Family = { comment: hashes, string: quoted, keywords: words('true false null yes no') };
const query: Family = {
  comment: dashes,
  string: quoted,
  keywords: words(
    'select from where and or not insert into values update set delete create table index primary key join left right inner outer on as group by order having limit null is in exists distinct SELECT FROM WHERE AND OR NOT INSERT INTO VALUES UPDATE SET DELETE CREATE TABLE INDEX PRIMARY KEY JOIN LEFT RIGHT INNER OUTER ON AS GROUP BY ORDER HAVING LIMIT NULL IS IN EXISTS DISTINCT',
  ),
};

const families: Readonly<Record<string, Family>> = {
  ...named(script, 'ts tsx js jsx mjs cjs typescript javascript svelte vue'),
  ...named(curly, 'c h cpp cc hpp cs csharp java kotlin kt go rust rs swift scala php dart zig'),
  ...named(python, 'py python rb ruby'),
  ...named(shell, 'sh bash zsh shell console fish dockerfile makefile'),
  ...named(data, 'json jsonc yaml yml toml ini'),
  ...named(query, 'sql'),
};

export function highlight(code: string, language: string | undefined, paint: Paint): readonly string[] {
  const name = (language ?? '').toLowerCase();
  if (name === 'diff' || name === 'patch') return code.split('\n').map((line) => patchLine(line, paint));
  const family = families[name];
  if (family === undefined) return code.split('\n');
  return paintedTokens(code, family, paint).split('\n');
}

const word = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const number = /\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const spaces = /[^\p{L}\p{N}_$"'`#/-]+/uy;

function paintedTokens(code: string, family: Family, paint: Paint): string {
  let out = '';
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(code)?.[0];
  };
  const add = (token: string, style?: Style) => {
    out += style === undefined ? token : token.split('\n').map(style).join('\n');
    at += token.length;
  };
  while (at < code.length) {
    const comment = take(family.comment);
    if (comment !== undefined) {
      add(comment, paint.ink3);
      continue;
    }
    const text = take(family.string);
    if (text !== undefined) {
      add(text, paint.string);
      continue;
    }
    const name = take(word);
    if (name !== undefined) {
      const isCalled = code[at + name.length] === '(';
      add(name, family.keywords.has(name) ? paint.keyword : isCalled ? paint.called : undefined);
      continue;
    }
    const figure = take(number);
    if (figure !== undefined) add(figure, paint.number);
    else add(take(spaces) ?? code.slice(at, at + 1));
  }
  return out;
}

function patchLine(line: string, paint: Paint): string {
  if (line.startsWith('+')) return paint.done(line);
  if (line.startsWith('-')) return paint.fail(line);
  return line.startsWith('@@') ? paint.ink3(line) : line;
}

function named(family: Family, names: string): Readonly<Record<string, Family>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, family]));
}
