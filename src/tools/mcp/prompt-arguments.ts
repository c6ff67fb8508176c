import type { Prompt } from '@modelcontextprotocol/client';

/** A prompt's arguments by name (`who=you`) or in order. The last takes all remaining words. A string: one is missing. */
export function promptArguments(
  { name, arguments: parameters = [] }: Prompt,
  words: string,
): Readonly<Record<string, string>> | string {
  const values: Record<string, string> = {};
  const open = [...parameters];
  const tokens = [...words.matchAll(/(?:[^\s"']+=)?(?:"[^"]*"|'[^']*'|\S+)/g)].map(([token]) => token);
  const rest: string[] = [];
  for (const token of tokens) {
    const [, key, value] = /^([\w-]+)=([\s\S]*)$/.exec(token) ?? [];
    const at = open.findIndex((parameter) => parameter.name === key);
    if (key === undefined || value === undefined || at === -1) rest.push(unquoted(token));
    else {
      open.splice(at, 1);
      values[key] = unquoted(value);
    }
  }
  for (const [index, parameter] of open.entries()) {
    const isLast = index === open.length - 1;
    const value = isLast ? rest.slice(index).join(' ') : (rest[index] ?? '');
    if (value !== '') values[parameter.name] = value;
    else if (parameter.required === true)
      return `Prompt ${name} needs ${parameter.name}${parameter.description === undefined ? '' : ` (${parameter.description})`}.`;
  }
  return values;
}

function unquoted(word: string): string {
  return word.replace(/^(["'])([\s\S]*)\1$/, '$2');
}
