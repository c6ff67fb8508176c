/** The most telling argument: the command, the path, the address. Otherwise all of them. */
export function mainArgument(args: string): string {
  try {
    const parsed = JSON.parse(args === '' ? '{}' : args) as Readonly<Record<string, unknown>>;
    for (const key of ['command', 'path', 'pattern', 'url', 'query', 'question']) {
      const value = parsed[key];
      if (typeof value === 'string') return value;
    }
    return Object.keys(parsed).length === 0 ? '' : args;
  } catch {
    return args;
  }
}
