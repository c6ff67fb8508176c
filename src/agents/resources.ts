/**
 * An agent's resources: project files by glob, read for each request, so that edits between turns are seen. Number
 * and size are limited, and omissions are reported.
 */
import { glob, realpath } from 'node:fs/promises';
import path from 'node:path';

import { loadText, type LoadedText } from './load-text.ts';

interface LoadedResources {
  readonly resources: readonly LoadedText[];
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
}

interface ResourceBounds {
  readonly files: number;
  readonly fileBytes: number;
  readonly bytes: number;
}

const resourceBounds: ResourceBounds = { files: 50, fileBytes: 64 * 1024, bytes: 256 * 1024 };

export async function loadResources(
  folder: string,
  patterns: readonly string[],
  bounds: ResourceBounds = resourceBounds,
): Promise<LoadedResources> {
  if (patterns.length === 0) return { resources: [], leftOut: [] };
  const root = await realpath(folder);
  const resources: LoadedText[] = [];
  const leftOut: { path: string; reason: string }[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  for (const pattern of patterns) {
    if (path.isAbsolute(pattern) || pattern.split(/[\\/]/).includes('..')) {
      leftOut.push({ path: pattern, reason: 'it is outside the project.' });
      continue;
    }
    const { matches, more } = await match(root, pattern, bounds.files);
    if (more)
      leftOut.push({
        path: pattern,
        reason: `it matches more than ${bounds.files} files; Rondo uses the first ones.`,
      });
    for (const match of matches) {
      const loaded = await loadText(
        root,
        path.join(root, match),
        Math.min(bounds.fileBytes, bounds.bytes - bytes),
      );
      if (loaded.type === 'left-out') leftOut.push({ path: loaded.path, reason: loaded.reason });
      if (loaded.type !== 'loaded' || seen.has(loaded.realPath)) continue;
      seen.add(loaded.realPath);
      if (resources.length >= bounds.files || bytes >= bounds.bytes) {
        leftOut.push({ path: loaded.text.path, reason: 'the size limit for resources is reached.' });
        continue;
      }
      bytes += Buffer.byteLength(loaded.text.text);
      resources.push(loaded.text);
    }
  }
  return { resources, leftOut };
}

const skipped = new Set(['node_modules', '.git']);

/** Sorted by name, so that the same files produce the same bytes. The walk stops early if too many files match. */
async function match(
  root: string,
  pattern: string,
  most: number,
): Promise<{ matches: readonly string[]; more: boolean }> {
  const matches: string[] = [];
  for await (const file of glob(pattern, { cwd: root, exclude: (name) => skipped.has(path.basename(name)) })) {
    matches.push(file);
    if (matches.length > most * 20) break;
  }
  return { matches: matches.toSorted().slice(0, most), more: matches.length > most };
}
