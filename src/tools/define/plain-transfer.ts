import { lstat } from 'node:fs/promises';
import path from 'node:path';

import type { ToolContext } from '../../ports/tool.ts';
import { isHeldFile } from './held-files.ts';
import { locate } from './tool-path.ts';

/**
 * Whether copying or moving changes only ordinary files that a checkpoint holds. `operands` are absolute paths, the
 * target last.
 */
export async function isPlainTransfer(
  program: 'cp' | 'mv',
  operands: readonly string[],
  context: ToolContext,
): Promise<boolean> {
  const target = operands.at(-1);
  const sources = operands.slice(0, -1);
  if (target === undefined || sources.length === 0) return false;
  const into = (await lstat(target).catch(() => undefined))?.isDirectory() === true;
  if (sources.length > 1 && !into) return false;
  for (const source of sources) {
    const from = await locate(source, context);
    if (from.type === 'outside' || from.sensitive !== undefined) return false;
    const stats = await lstat(source).catch(() => undefined);
    if (stats === undefined || stats.isSymbolicLink()) return false;
    const final = into ? path.join(target, path.basename(source)) : target;
    if (!(await isHeldFile(final, context))) return false;
    // A moved file must be restorable too. A folder may hide a secret.
    if (!stats.isFile() || (program === 'mv' && !(await isHeldFile(source, context)))) return false;
  }
  return true;
}
