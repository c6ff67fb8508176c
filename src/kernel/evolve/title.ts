const longestTitle = 60;

/** A session's title: the first line of its first prompt, cut at a word. */
export function titleFrom(text: string): string {
  const line = text
    .split('\n')
    .map((part) => part.replace(/^[\s#>*-]+/, '').trim())
    .find((part) => part !== '');
  if (line === undefined || line.length <= longestTitle) return line ?? '';
  const cut = line.slice(0, longestTitle);
  const space = cut.lastIndexOf(' ');
  return `${cut.slice(0, space > longestTitle / 2 ? space : longestTitle - 1).trimEnd()}…`;
}
