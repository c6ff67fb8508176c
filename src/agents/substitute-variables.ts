import { configPathToText, type ConfigPath } from './config-path.ts';
import type { Environment } from '../ports/environment.ts';

/**
 * Replaces `${NAME}` and `${NAME:-otherwise}` in strings, never in keys; `$${` is a literal `${`. Replaced text
 * isn't scanned again.
 */
export function substituteVariables(value: unknown, env: Environment): Substituted {
  const missing: { path: ConfigPath; variable: string }[] = [];
  const variables = new Map<string, readonly string[]>();

  const replaceIn = (node: unknown, path: ConfigPath): unknown => {
    if (typeof node === 'string') {
      const used: string[] = [];
      const text = node.replace(reference, (whole, escaped: string, name: string, otherwise?: string) => {
        if (escaped !== '') return whole.slice(1);
        const content = env[name];
        used.push(name);
        if (content !== undefined && (content !== '' || otherwise === undefined)) return content;
        if (otherwise === undefined) missing.push({ path, variable: name });
        return otherwise ?? '';
      });
      if (used.length > 0) variables.set(configPathToText(path), used);
      return text;
    }
    if (Array.isArray(node)) return node.map((item, index) => replaceIn(item, [...path, index]));
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, replaceIn(child, [...path, key])]));
  };

  return { value: replaceIn(value, []), missing, variables };
}

interface Substituted {
  readonly value: unknown;
  readonly missing: readonly { readonly path: ConfigPath; readonly variable: string }[];
  /** The variables used in each value, by path. Such values aren't shown. */
  readonly variables: ReadonlyMap<string, readonly string[]>;
}

const reference = /(\$?)\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;
