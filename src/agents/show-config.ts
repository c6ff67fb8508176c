import { ruleToText } from '../kernel/rule.ts';
import { configPathToText, type ConfigPath } from './config-path.ts';
import { originOf, type MergedConfig, type ConfigOrigin } from './merge-layers.ts';

export interface ConfigRow {
  readonly path: string;
  /** As JSON, with possible secrets hidden. */
  readonly value: string;
  readonly origin: ConfigOrigin;
}

/** Every value with its origin, for `rondo config show --origin`. Keys, headers and environments are hidden. */
export function showConfig(merged: MergedConfig): readonly ConfigRow[] {
  const rows: ConfigRow[] = [];
  const visit = (value: unknown, path: ConfigPath): void => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [key, child] of Object.entries(value)) visit(child, [...path, key]);
      return;
    }
    const origin = originOf(merged, path);
    if (origin === undefined) return;
    const hidden = origin.variables !== undefined || isSecret(path);
    rows.push({ path: configPathToText(path), value: hidden ? '"…"' : JSON.stringify(value), origin });
  };
  visit(merged.config, []);
  for (const [name, rules] of Object.entries(merged.policies)) {
    for (const { rule, origin } of rules) {
      const text = ruleToText(rule);
      rows.push({ path: configPathToText(['policies', name, rule.verdict]), value: JSON.stringify(text), origin });
    }
  }
  return rows;
}

function isSecret(path: ConfigPath): boolean {
  const [, , field] = path;
  return field === 'apiKey' || field === 'headers' || field === 'env';
}
