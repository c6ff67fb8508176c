import { openSync, closeSync, readSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import picomatch from 'picomatch';

import { globsOverlap } from '../../security/paths/glob-overlap.ts';
import { sensitivityOf } from '../../security/paths/paths.ts';
import { decodeFile } from '../files/text-file.ts';
import { type Walk, walkFiles } from './walk-files.ts';

/** A search over the files below a folder. Plain data, so that it can be sent to a worker. */
export type SearchJob =
  | { readonly type: 'list'; readonly walk: Walk }
  | { readonly type: 'glob'; readonly walk: Walk; readonly pattern: string }
  | GrepJob;

interface GrepJob {
  readonly type: 'grep';
  /** May start at a single file. */
  readonly walk: Walk;
  readonly pattern: string;
  readonly glob?: string;
  readonly flags: string;
  /** Lines to show before and after each match. */
  readonly around: number;
  /** True if the path names a single file. It is then searched even if it may hold secrets. */
  readonly named: boolean;
  /** Patterns of places below the start that no agent may read. */
  readonly hidden: readonly string[];
}

export type SearchFinding =
  | {
      readonly type: 'entry';
      readonly path: string;
      readonly kind: 'file' | 'folder' | 'link';
      readonly depth: number;
    }
  | {
      readonly type: 'match';
      readonly path: string;
      readonly line: number;
      readonly text: string;
      readonly before: readonly string[];
      readonly after: readonly string[];
    }
  | { readonly type: 'skipped'; readonly path: string; readonly why: 'large' | 'secret' };

const LARGEST_FILE = 8 * 1024 * 1024;
const LONGEST_LINE = 20_000;
const LONGEST_SHOWN = 400;

export function* search(job: SearchJob): Generator<SearchFinding> {
  switch (job.type) {
    case 'list':
      for (const { relative, kind, depth } of walkFiles(job.walk))
        yield { type: 'entry', path: relative, kind, depth };
      return;
    case 'glob': {
      const matches = globMatcher(job.pattern);
      for (const { relative, kind, depth } of walkFiles(job.walk)) {
        if (kind !== 'folder' && matches(relative)) yield { type: 'entry', path: relative, kind, depth };
      }
      return;
    }
    case 'grep':
      yield* grep(job);
  }
}

/** A pattern without a slash matches names in any folder, as in .gitignore. */
function globMatcher(pattern: string): (path: string) => boolean {
  return picomatch(pattern.includes('/') ? pattern.replace(/^\.?\//, '') : `**/${pattern}`, {
    dot: true,
    noextglob: true,
  });
}

function* grep(job: GrepJob): Generator<SearchFinding> {
  const { walk } = job;
  const regex = new RegExp(job.pattern, job.flags);
  if (statSync(walk.start).isFile()) {
    yield* grepFile(walk.start, path.basename(walk.start), regex, job);
    return;
  }
  const wanted = job.glob === undefined ? () => true : globMatcher(job.glob);
  for (const { absolute, relative, kind } of walkFiles(walk)) {
    if (kind !== 'file' || !wanted(relative)) continue;
    const isHidden = job.hidden.some((place) => globsOverlap(absolute, place));
    if (isHidden || (!job.named && sensitivityOf(path.relative(walk.root, absolute)) === 'secret')) {
      yield { type: 'skipped', path: relative, why: 'secret' };
    } else yield* grepFile(absolute, relative, regex, job);
  }
}

function* grepFile(file: string, label: string, regex: RegExp, job: GrepJob): Generator<SearchFinding> {
  const content = readText(file);
  if (content === 'large') yield { type: 'skipped', path: label, why: 'large' };
  if (content === 'large' || content === 'not-text') return;
  const lines = content.text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    if (!regex.test(line.length > LONGEST_LINE ? line.slice(0, LONGEST_LINE) : line)) continue;
    yield {
      type: 'match',
      path: label,
      line: index + 1,
      text: cut(line),
      before: lines.slice(Math.max(0, index - job.around), index).map(cut),
      after: lines.slice(index + 1, index + 1 + job.around).map(cut),
    };
  }
}

function readText(file: string): { readonly text: string } | 'large' | 'not-text' {
  try {
    if (looksBinary(file)) return 'not-text';
    if (statSync(file).size > LARGEST_FILE) return 'large';
    const decoded = decodeFile(readFileSync(file));
    return decoded.type === 'text' ? { text: decoded.text } : 'not-text';
  } catch {
    // Deleted in the meantime, or not readable.
    return 'not-text';
  }
}

function looksBinary(file: string): boolean {
  const descriptor = openSync(file, 'r');
  try {
    const start = Buffer.alloc(1_024);
    const length = readSync(descriptor, start, 0, start.length, 0);
    const [a, b] = start;
    const isUtf16 = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
    return !isUtf16 && start.subarray(0, length).includes(0);
  } finally {
    closeSync(descriptor);
  }
}

function cut(line: string): string {
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN)}…` : line;
}
