/** Matches a named file against the existing ones. */
import { editDistance } from '../../kernel/nearest-name.ts';

export type TargetMatch =
  /** The file exists, or exactly one other is so similar (85 % of its letters) that it must be meant. */
  | { readonly type: 'found'; readonly path: string }
  | { readonly type: 'unsure'; readonly why: 'several' | 'unlike'; readonly candidates: readonly string[] }
  /** No file is similar: it may not exist yet. */
  | { readonly type: 'none' };

const alike = 0.85;
const related = 0.6;

/** `files` are paths relative to the session's folder, with `/`. */
export function matchTarget(named: string, files: Iterable<string>): TargetMatch {
  const wanted = named.replace(/^\.\//, '').toLowerCase();
  const name = baseOf(wanted);
  const same: string[] = [];
  const near: { readonly path: string; readonly score: number }[] = [];
  for (const path of files) {
    const lower = path.toLowerCase();
    if (lower === wanted) return { type: 'found', path };
    if (lower.endsWith(`/${wanted}`)) same.push(path);
    else {
      const score = likeness(name, baseOf(lower));
      if (score >= related) near.push({ path, score });
    }
  }
  const [only] = same;
  if (only !== undefined) {
    return same.length === 1
      ? { type: 'found', path: only }
      : { type: 'unsure', why: 'several', candidates: same.toSorted() };
  }
  const ranked = near.toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  const [best, second] = ranked;
  if (best === undefined) return { type: 'none' };
  if (best.score >= alike && (second === undefined || second.score < best.score)) {
    return { type: 'found', path: best.path };
  }
  return { type: 'unsure', why: 'unlike', candidates: ranked.map(({ path }) => path) };
}

function likeness(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  if (longest === 0 || Math.abs(a.length - b.length) > longest * (1 - related)) return 0;
  return 1 - editDistance(a, b) / longest;
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
