/**
 * Syntax highlighting: shiki without WebAssembly, and with class names, because pages may not contain inline
 * styles.
 */
import {
  createCssVariablesTheme,
  createHighlighterCore,
  type HighlighterCore,
  type LanguageInput,
} from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';

export interface CodePiece {
  readonly text: string;
  readonly className: string;
}

type Load = () => Promise<{ readonly default: unknown }>;

const languages: Readonly<Record<string, Load>> = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  csharp: () => import('shiki/langs/csharp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  docker: () => import('shiki/langs/docker.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  jsx: () => import('shiki/langs/jsx.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  svelte: () => import('shiki/langs/svelte.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
};
const otherNames: Readonly<Record<string, string>> = {
  // The grammar of C++ is larger than all others together.
  'c++': 'c',
  cpp: 'c',
  h: 'c',
  cs: 'csharp',
  dockerfile: 'docker',
  htm: 'html',
  js: 'javascript',
  cjs: 'javascript',
  mjs: 'javascript',
  jsonc: 'json',
  kt: 'kotlin',
  md: 'markdown',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  console: 'bash',
  svg: 'xml',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  yml: 'yaml',
  zsh: 'bash',
};
const longest = 60_000;
const tokenizeMaxLineLength = 5_000;
/** For one line. The first one also compiles the grammar, which takes a slow device longer than the default of 500 ms. */
const tokenizeTimeLimit = 3_000;
let highlighter: Promise<HighlighterCore> | undefined;

/** The name of a language as `highlight` takes it. */
export function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Lines of tokens. Undefined if the language is unknown or the code too long. */
export async function highlight(
  code: string,
  named: string,
): Promise<readonly (readonly CodePiece[])[] | undefined> {
  const name = otherNames[named.toLowerCase()] ?? named.toLowerCase();
  const load = Object.hasOwn(languages, name) ? languages[name] : undefined;
  if (load === undefined || code.length > longest) return undefined;
  highlighter ??= createHighlighterCore({
    themes: [createCssVariablesTheme({ name: 'rondo', variablePrefix: '--', fontStyle: true })],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const shiki = await highlighter;
  if (!shiki.getLoadedLanguages().includes(name))
    await shiki.loadLanguage((await load()).default as LanguageInput);
  const { tokens } = shiki.codeToTokens(code, {
    lang: name,
    theme: 'rondo',
    tokenizeMaxLineLength,
    tokenizeTimeLimit,
  });
  return tokens.map((line) =>
    line.map(({ content, color = '' }) => ({ text: content, className: classOf(color) })),
  );
}

/** The theme names a color like `var(--token-string-expression)`. */
function classOf(color: string): string {
  const name = /^var\(--token-([a-z-]+)\)$/.exec(color)?.[1];
  switch (name) {
    case 'keyword':
      return 'code-keyword';
    case 'string':
    case 'string-expression':
    case 'inserted':
      return 'code-string';
    case 'comment':
      return 'code-comment';
    case 'function':
      return 'code-function';
    case 'parameter':
      return 'code-type';
    case 'constant':
    case 'changed':
      return 'code-constant';
    case 'punctuation':
      return 'code-punctuation';
    case 'deleted':
      return 'code-deleted';
    default:
      return '';
  }
}
