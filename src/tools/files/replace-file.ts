import { mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

import type { ToolContext, ToolRun } from '../../ports/tool.ts';
import { openInside } from '../../security/paths/open-inside.ts';
import { unfinishedName } from '../../security/paths/unfinished-write.ts';
import { errorCode, failure, fileFailure, type ToolFailure } from '../define/tool-failure.ts';
import { wroteInEditor } from './unsaved-text.ts';
import { type InsidePath, locate, outsideFailure, displayPath } from '../define/tool-path.ts';

/**
 * Replaces the content of `target` atomically: writes next to it, syncs, renames. Keeps the mode of an existing
 * file, creates missing folders, and resolves the path again right before the rename. An editor that has the file
 * open writes it instead. Returns undefined on success.
 */
export async function replaceFile(
  target: InsidePath,
  content: Buffer,
  context: ToolContext & Pick<ToolRun, 'buffers'>,
): Promise<ToolFailure | undefined> {
  const label = displayPath(target);
  if (await wroteInEditor(target.real, content, context)) return undefined;
  const beside = unfinishedName(target.real);
  try {
    const mode = await modeOf(target.real);
    await mkdir(path.dirname(target.real), { recursive: true });
    const opened = await openInside(beside, { roots: context.roots, access: 'create' });
    if (opened.type === 'outside') return outsideFailure(opened);
    if (opened.type === 'failed') return fileFailure(Object.assign(new Error(opened.message), opened), label);
    try {
      await opened.handle.writeFile(content);
      if (mode !== undefined) await opened.handle.chmod(mode);
      await opened.handle.sync();
    } finally {
      await opened.handle.close();
    }
    const again = await locate(target.real, context);
    if (again.type === 'outside') return outsideFailure(again);
    if (again.real !== target.real)
      return failure('SANDBOX_VIOLATION', `${label} was redirected to another location during the write.`);
    await rename(beside, target.real);
    return undefined;
  } catch (error) {
    return fileFailure(error, label);
  } finally {
    await rm(beside, { force: true }).catch(() => undefined);
  }
}

async function modeOf(file: string): Promise<number | undefined> {
  try {
    const stats = await stat(file);
    return stats.mode & 0o7777;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
