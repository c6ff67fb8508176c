import { type Dirent, readdirSync } from 'node:fs';
import path from 'node:path';

import { ignoreRulesFor, isIgnored, withFolder } from '../define/ignore-rules.ts';

export interface WalkedEntry {
  readonly absolute: string;
  /** Relative to the start of the walk, with forward slashes. */
  readonly relative: string;
  readonly kind: 'file' | 'folder' | 'link';
  /** 1 for entries directly below the start. */
  readonly depth: number;
}

export interface Walk {
  readonly root: string;
  readonly start: string;
  readonly depth?: number;
  /** Whether to include what .gitignore excludes. `.git` itself is never included. */
  readonly ignored?: 'left-out' | 'included';
}

/**
 * Yields everything below a folder in name order, each folder before its content. Links are listed but never
 * followed, so a walk doesn't leave its root. An unreadable folder counts as empty.
 */
export function* walkFiles(walk: Walk): Generator<WalkedEntry> {
  const rules = walk.ignored === 'included' ? [] : rulesAtStart(walk);
  yield* walkFolder(walk, walk.start, 1, rules);
}

// A caller that names an ignored folder wants to see its content.
function rulesAtStart({ root, start }: Walk): ReturnType<typeof ignoreRulesFor> {
  const rules = ignoreRulesFor(root, start);
  return start !== root && isIgnored(rules, start, 'folder') ? withFolder([], start) : rules;
}

function* walkFolder(
  walk: Walk,
  folder: string,
  depth: number,
  rules: ReturnType<typeof ignoreRulesFor>,
): Generator<WalkedEntry> {
  for (const entry of entriesOf(folder)) {
    const kind = kindOf(entry);
    if (kind === undefined || entry.name === '.git') continue;
    const absolute = path.join(folder, entry.name);
    if (rules.length > 0 && isIgnored(rules, absolute, kind === 'folder' ? 'folder' : 'file')) continue;
    yield { absolute, relative: path.relative(walk.start, absolute).split(path.sep).join('/'), kind, depth };
    if (kind !== 'folder' || depth >= (walk.depth ?? Infinity)) continue;
    yield* walkFolder(
      walk,
      absolute,
      depth + 1,
      walk.ignored === 'included' ? rules : withFolder(rules, absolute),
    );
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

function kindOf(entry: Dirent): WalkedEntry['kind'] | undefined {
  if (entry.isDirectory()) return 'folder';
  if (entry.isSymbolicLink()) return 'link';
  return entry.isFile() ? 'file' : undefined;
}
