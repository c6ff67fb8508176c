/**
 * Rules folders of other agents, with their subfolders. A rule for every task is an instruction. One that names the
 * files or tasks that it is for is only named: the agent reads it when it works on them.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';

import { looseFrontMatter } from './front-matter.ts';
import { lineOf } from './named-texts.ts';

const folders = ['.claude/rules', '.cursor/rules', '.clinerules', '.windsurf/rules', '.github/instructions'];
const bounds = { files: 100, entries: 2000, depth: 5 };

/** Sorted within each folder. */
export async function ruleFiles(top: string): Promise<readonly string[]> {
  const lists = await Promise.all(folders.map((folder) => filesBelow(path.join(top, folder))));
  return lists.flat();
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  const pending = [{ at: folder, depth: 0 }];
  let seen = 0;
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    for (const entry of await readdir(next.at, { withFileTypes: true }).catch(() => [])) {
      if ((seen += 1) > bounds.entries) break;
      const full = path.join(next.at, entry.name);
      if (entry.isDirectory() && next.depth < bounds.depth) pending.push({ at: full, depth: next.depth + 1 });
      else if (/\.mdc?$/.test(entry.name)) files.push(full);
    }
  }
  return files.toSorted().slice(0, bounds.files);
}

/** The rule itself, or when to read it. Undefined if only a person calls for it. */
export async function shownRule(text: string, file: string): Promise<string | undefined> {
  if (!/^\uFEFF?---\s/.test(text)) return text;
  const { facts } = await looseFrontMatter(text, file);
  const { alwaysApply, trigger } = facts;
  if (String(alwaysApply) === 'true' || trigger === 'always_on') return text;
  const given = facts['paths'] ?? facts['globs'] ?? facts['applyTo'];
  const files = lineOf(Array.isArray(given) ? given.join(', ') : given, 300);
  if (files === '**' || files === '**/*') return text;
  if (files !== undefined) return `Read this file before you work on ${files}.`;
  if (alwaysApply === undefined && trigger === undefined) return text;
  const description = lineOf(facts['description'], 300);
  return description === undefined ? undefined : `Read this file if it fits the task: ${description}`;
}
