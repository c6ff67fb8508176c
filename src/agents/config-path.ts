/** A path in a configuration document: keys and list indexes. */
export type ConfigPath = readonly (string | number)[];

/** For example `agents.coder.tools[0]`, with names that contain dots or spaces in quotes. */
export function configPathToText(path: ConfigPath): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (/^[\w$-]+$/.test(part)) text += text === '' ? part : `.${part}`;
    else text += `[${JSON.stringify(part)}]`;
  }
  return text;
}

export function valueAt(value: unknown, path: ConfigPath): unknown {
  let current = value;
  for (const part of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, part)) return undefined;
    current = (current as Record<string | number, unknown>)[part];
  }
  return current;
}
