/** Parses the response of `GET /sessions/{id}/diff` into files for display. */
import { optional } from '../../../src/kernel/optional.ts';
import { parseUnifiedDiff, type DiffLine } from '../../../src/views/line-diff.ts';

export interface ChangedFile {
  readonly path: string;
  readonly was?: string;
  readonly status: string;
  readonly added: number;
  readonly removed: number;
  readonly lines: readonly DiffLine[];
}

interface WireChange {
  readonly path: string;
  readonly from?: string;
  readonly status: string;
  readonly added?: number;
  readonly removed?: number;
  readonly patch?: string;
}

export interface WireDiff {
  readonly changes: readonly WireChange[];
}

export function changedFiles(wire: WireDiff): readonly ChangedFile[] {
  return wire.changes.map(({ path, from, status, added = 0, removed = 0, patch = '' }) => ({
    path,
    ...optional({ was: from }),
    status,
    added,
    removed,
    lines: linesIn(patch, path),
  }));
}

/** A patch may come with or without the header that names its file. */
function linesIn(patch: string, path: string): readonly DiffLine[] {
  const whole = /^(diff --git|--- )/m.test(patch) ? patch : `--- a/${path}\n+++ b/${path}\n${patch}`;
  return parseUnifiedDiff(whole).flatMap(({ lines }) => lines);
}
