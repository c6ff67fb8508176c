/**
 * Commands that only change files which a checkpoint holds, so that one grant for edits covers them: `mkdir`, `touch`,
 * `cp`, `mv`, `tee`, and `rm` of files and of folders that git ignores.
 *
 * 1. Every option is listed. An unlisted one, or a word known only at run time, makes the command an ordinary one.
 * 2. A target is judged by its final path, so `cp a folder` is about `folder/a`.
 * 3. Nothing is copied out of a file with secrets, and no folder is copied or moved.
 */
import { lstat } from 'node:fs/promises';

import type { ToolContext } from '../../ports/tool.ts';
import { physicalPath } from '../../security/paths/physical-path.ts';
import { targetsOf } from '../../security/shell/segment-facts.ts';
import type { Segment } from '../../security/shell/segment.ts';
import { type HeldDeletion, heldDeletion, isHeldFile } from '../define/held-files.ts';
import { isPlainTransfer } from '../define/plain-transfer.ts';
import { locate } from '../define/tool-path.ts';
import { expandGlob } from './expand-glob.ts';

export interface PlainEdit {
  /** If it deletes something, what the checkpoint before it must hold. */
  readonly deletion?: HeldDeletion;
}

/** Undefined if it isn't certain that the segment, run in `folder`, changes only held files. */
export async function plainEdit(
  segment: Segment,
  folder: string,
  context: ToolContext,
): Promise<PlainEdit | undefined> {
  const { words, opaque, assignments } = segment;
  const [program = '', ...rest] = words;
  if (writesText(segment)) return NOTHING;
  const options = OPTIONS.get(program);
  if (options === undefined || opaque || assignments.length > 0) return undefined;
  if (!rest.filter((word) => word.startsWith('-')).every((word) => options.test(word))) return undefined;
  const operands = await operandsOf(segment, folder);
  if (operands === undefined || operands.length === 0) return undefined;
  const held = async (files: readonly string[]) =>
    (await Promise.all(files.map((file) => isHeldFile(file, context)))).every(Boolean);
  switch (program) {
    case 'mkdir':
    case 'touch':
    case 'tee':
      return (await held(operands)) || (program === 'mkdir' && (await areFolders(operands, context)))
        ? NOTHING
        : undefined;
    case 'cp':
    case 'mv':
      return (await isPlainTransfer(program, operands, context)) ? NOTHING : undefined;
    default: {
      const deletes = await Promise.all(
        operands.map(async (file) => ((await isLink(file)) ? undefined : heldDeletion(file, context))),
      );
      return deletes.every((held) => held !== undefined)
        ? { deletion: { ignored: deletes.flatMap(({ ignored }) => ignored) } }
        : undefined;
    }
  }
}

const NOTHING: PlainEdit = {};

/** `echo … > file` and `cat > file <<'EOF'`. The file is judged as a path. */
function writesText({ words, dynamic, opaque, assignments, redirects, input }: Segment): boolean {
  const isPlain = dynamic.length === 0 && !opaque && assignments.length === 0;
  if (!isPlain || redirects.length === 0 || redirects.some(({ kind }) => kind === 'read')) return false;
  // Without quotes around its delimiter, a here-document expands variables.
  return words[0] === 'cat' ? words.length === 1 && /^[^$`]*$/.test(input ?? '$') : words[0] === 'echo';
}

/** By program. */
export const OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ['mkdir', /^(?:-[pv]+|--parents|--)$/],
  ['touch', /^(?:-[acm]+|--)$/],
  ['tee', /^(?:-a|--append)$/],
  ['cp', /^(?:-[pvnf]+|--)$/],
  ['mv', /^(?:-[vnf]+|--)$/],
  ['rm', /^(?:-[rRfvd]+|--recursive|--force|--)$/],
  ['unlink', /^--$/],
]);

/** Absolute paths, with wildcards expanded. */
async function operandsOf(segment: Segment, folder: string): Promise<readonly string[] | undefined> {
  const operands: string[] = [];
  for (const { text, dynamic } of targetsOf(segment)) {
    if (!dynamic) {
      operands.push(physicalPath(folder, text));
      continue;
    }
    if (!/^[\w@%+=:,./*?-]+$/.test(text)) return undefined;
    const pieces = [...text.matchAll(/\*+|\?|[^*?]+/g)].map(([piece]) =>
      piece === '?'
        ? ({ type: 'one' } as const)
        : piece.startsWith('*')
          ? ({ type: 'star' } as const)
          : ({ type: 'literal', text: piece } as const),
    );
    const names = await expandGlob(pieces, folder);
    if (names === undefined) return undefined;
    operands.push(...names.map((name) => physicalPath(folder, name)));
  }
  return operands;
}

async function isLink(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => undefined))?.isSymbolicLink() === true;
}

async function areFolders(places: readonly string[], context: ToolContext): Promise<boolean> {
  const kinds = await Promise.all(
    places.map(async (place) => {
      const verdict = await locate(place, context);
      if (verdict.type === 'outside') return false;
      const stats = await lstat(verdict.real).catch(() => undefined);
      return stats?.isDirectory() === true || (await isHeldFile(place, context));
    }),
  );
  return kinds.every(Boolean);
}
