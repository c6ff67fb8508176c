import { readFileSync } from 'node:fs';
import path from 'node:path';

import ignore, { type Ignore } from 'ignore';

/** The .gitignore files that apply to a folder, outermost first. */
type IgnoreRules = readonly { readonly folder: string; readonly rules: Ignore }[];

/** The rules that apply to `folder`, from its root down. */
export function ignoreRulesFor(root: string, folder: string): IgnoreRules {
  const exclude = readRules(root, path.join(root, '.git', 'info', 'exclude'));
  const parts = path
    .relative(root, folder)
    .split(path.sep)
    .filter((part) => part !== '');
  const folders = [root, ...parts.map((_, index) => path.join(root, ...parts.slice(0, index + 1)))];
  return folders.reduce<IgnoreRules>((rules, each) => withFolder(rules, each), exclude);
}

/** Adds the rules of a folder one level deeper. */
export function withFolder(rules: IgnoreRules, folder: string): IgnoreRules {
  return [...rules, ...readRules(folder, path.join(folder, '.gitignore'))];
}

/** Innermost rules take precedence. Callers check a folder before its content. */
export function isIgnored(rules: IgnoreRules, absolute: string, kind: 'file' | 'folder'): boolean {
  for (const { folder, rules: own } of rules.toReversed()) {
    const relative = path.relative(folder, absolute).split(path.sep).join('/');
    if (relative === '') continue;
    const verdict = own.test(kind === 'folder' ? `${relative}/` : relative);
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}

function readRules(folder: string, file: string): IgnoreRules {
  try {
    return [{ folder, rules: ignore().add(readFileSync(file, 'utf8')) }];
  } catch {
    return [];
  }
}
