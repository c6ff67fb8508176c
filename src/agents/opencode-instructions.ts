import { readdir } from 'node:fs/promises';
import path from 'node:path';

import { fieldsOf } from '../kernel/json-object.ts';
import { matchesPattern } from '../kernel/rule.ts';
import { loadText } from './load-text.ts';
import { parseJsonc } from './parse-jsonc.ts';

const bounds = { configBytes: 256 * 1024, patterns: 50, files: 100, entries: 10_000 };
const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/**
 * The files that `instructions` of `opencode.json` names, with wildcards, in its order. Addresses and places outside
 * the project are left out.
 */
export async function opencodeInstructions(top: string): Promise<readonly string[]> {
  const paths = new Set<string>();
  for (const name of ['opencode.json', 'opencode.jsonc']) {
    const loaded = await loadText(top, path.join(top, name), bounds.configBytes);
    if (loaded.type !== 'loaded') continue;
    const parsed = await parseJsonc(loaded.text.text, name);
    const { instructions } = fieldsOf(parsed.type === 'parsed' ? parsed.document.value : undefined);
    const patterns = Array.isArray(instructions) ? instructions.slice(0, bounds.patterns) : [];
    for (const pattern of patterns)
      if (typeof pattern === 'string') for (const file of await filesLike(top, pattern)) paths.add(file);
  }
  return [...paths].slice(0, bounds.files);
}

async function filesLike(top: string, given: string): Promise<readonly string[]> {
  const pattern = path.posix.normalize(given);
  if (/^(?:\/|~|\.\.)|:\/\//.test(given) || pattern.startsWith('..')) return [];
  if (!/[*?]/.test(pattern)) return [path.join(top, pattern)];
  const files: string[] = [];
  const depth = pattern.includes('**') ? Infinity : pattern.split('/').length;
  const pending = [path.posix.dirname(pattern.replace(/[*?].*/s, 'x'))];
  let seen = 0;
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of await readdir(path.join(top, folder), { withFileTypes: true }).catch(() => [])) {
      if ((seen += 1) > bounds.entries) return files.toSorted();
      const file = path.posix.join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name) && file.split('/').length < depth) pending.push(file);
      } else if (matchesPattern(pattern, file, 'parts')) files.push(path.join(top, file));
    }
  }
  return files.toSorted();
}
