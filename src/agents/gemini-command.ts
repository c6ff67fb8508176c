/**
 * A command of Gemini CLI: a TOML file with `prompt` and `description`. Reads their four kinds of strings; everything
 * else in the file means nothing to Rondo.
 */
export function commandInToml(source: string): { readonly prompt: string; readonly description?: string } {
  const values = new Map<string, string>();
  for (const [, table, key = '', long, longLiteral, short, literal] of source.matchAll(STATEMENT)) {
    // Keys of a table aren't the file's own.
    if (table !== undefined) break;
    const written = long ?? short;
    const value = written === undefined ? (longLiteral ?? literal) : unescaped(written);
    if (value !== undefined && !values.has(key)) values.set(key, value.replace(/^\r?\n/, '').trim());
  }
  const description = values.get('description');
  // Arguments, commands and files as in other files.
  const prompt = (values.get('prompt') ?? '')
    .replaceAll(/\{\{\s*args\s*\}\}/g, '$ARGUMENTS')
    .replaceAll(/!\{([^{}\n`]+)\}/g, (_, command: string) => `!\`${command.trim()}\``)
    .replaceAll(/@\{([^{}\n]+)\}/g, (_, file: string) => `@${file.trim()}`);
  return { prompt, ...(description !== undefined && { description }) };
}

/** Strings over several lines hold no statements. */
const STATEMENT =
  /^[ \t]*(?:(\[)|([\w-]+)[ \t]*=[ \t]*(?:"""((?:[^\\]|\\[\s\S])*?)"""|'''([\s\S]*?)'''|"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'))/gm;

const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  '"': '"',
  '\\': '\\',
};

function unescaped(text: string): string {
  return text.replaceAll(
    /\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|([ \t]*\r?\n\s*)|([\s\S]))/g,
    (whole, four?: string, eight?: string, broken?: string, letter?: string) => {
      if (broken !== undefined) return '';
      const code = four ?? eight;
      if (code === undefined) return escapes[letter ?? ''] ?? whole;
      const point = Number.parseInt(code, 16);
      return point > 0x10_ff_ff ? whole : String.fromCodePoint(point);
    },
  );
}
