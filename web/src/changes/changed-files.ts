/** Parses the response of `GET /sessions/{id}/diff` into files for display. */
import { optional } from '../../../src/kernel/optional.ts';
import type { SessionFileChange } from '../../../src/ports/session-changes.ts';
import type { DiffLine } from '../../../src/kernel/line-diff.ts';
import { parseUnifiedDiff } from '../../../src/views/line-diff.ts';

export interface ChangedFile {
  readonly path: string;
  readonly was?: string;
  readonly status: SessionFileChange['status'];
  readonly added: number;
  readonly removed: number;
  readonly lines: readonly DiffLine[];
  /** Can be committed or discarded. */
  readonly isUncommitted: boolean;
}

export interface WireDiff {
  readonly changes: readonly SessionFileChange[];
}

export function changedFiles(wire: WireDiff): readonly ChangedFile[] {
  return wire.changes.map(({ path, from, status, added = 0, removed = 0, patch = '', isUncommitted = false }) => ({
    path,
    ...optional({ was: from }),
    status,
    added,
    removed,
    lines: linesIn(patch, path),
    isUncommitted,
  }));
}

/** A patch may come with or without the header that names its file. */
function linesIn(patch: string, path: string): readonly DiffLine[] {
  const whole = /^(diff --git|--- )/m.test(patch) ? patch : `--- a/${path}\n+++ b/${path}\n${patch}`;
  return parseUnifiedDiff(whole).flatMap(({ lines }) => lines);
}

interface FileFolder {
  readonly folder: string;
  readonly files: readonly ChangedFile[];
}

/** The files by folder, in the order of their paths. */
export function filesByFolder(files: readonly ChangedFile[]): readonly FileFolder[] {
  const folders = Map.groupBy(files, ({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('/'))));
  return [...folders]
    .map(([folder, own]) => ({ folder, files: own }))
    .toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
}
