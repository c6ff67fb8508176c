/**
 * Files that an agent reads and writes through Rondo: only inside the session's folders, after resolving links,
 * within limits.
 */
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

import { openInside } from '../../security/paths/open-inside.ts';
import { unfinishedName } from '../../security/paths/unfinished-write.ts';
import { resolveInside } from '../../security/paths/paths.ts';

export type Served<Value> =
  | { readonly type: 'done'; readonly value: Value }
  | { readonly type: 'missing' | 'refused'; readonly message: string };

export interface FilePlace {
  readonly cwd: string;
  readonly roots: readonly string[];
}

const largestFile = 10 * 1024 * 1024;

export async function readTextFile(
  request: {
    readonly path: string;
    readonly line?: number | null | undefined;
    readonly limit?: number | null | undefined;
  },
  { cwd, roots }: FilePlace,
): Promise<Served<string>> {
  const opened = await openInside(request.path, { roots, from: cwd, access: 'read' });
  if (opened.type === 'outside') return { type: 'refused', message: opened.message };
  if (opened.type === 'failed') {
    return { type: opened.code === 'ENOENT' ? 'missing' : 'refused', message: opened.message };
  }
  await using handle = opened.handle;
  const stats = await handle.stat();
  if (!stats.isFile()) return { type: 'refused', message: `${request.path} is a folder` };
  if (stats.size > largestFile) {
    return {
      type: 'refused',
      message: `${request.path} has ${stats.size} bytes; the limit is ${largestFile}`,
    };
  }
  return { type: 'done', value: linesOf(await handle.readFile('utf8'), request.line, request.limit) };
}

/** Replaces the file atomically. */
export async function writeTextFile(
  request: { readonly path: string; readonly content: string },
  { cwd, roots }: FilePlace,
): Promise<Served<undefined>> {
  const target = await resolveInside(request.path, { roots, from: cwd });
  if (target.type === 'outside') return { type: 'refused', message: target.message };
  if (Buffer.byteLength(request.content) > largestFile) {
    return { type: 'refused', message: `more than ${largestFile} bytes are not written to ${request.path}` };
  }
  const beside = unfinishedName(target.real);
  try {
    await mkdir(path.dirname(target.real), { recursive: true });
    const opened = await openInside(beside, { roots, access: 'create' });
    if (opened.type !== 'opened') return { type: 'refused', message: opened.message };
    try {
      await opened.handle.writeFile(request.content);
      const mode = await modeOf(target.real);
      if (mode !== undefined) await opened.handle.chmod(mode);
    } finally {
      await opened.handle.close();
    }
    const again = await resolveInside(target.real, { roots });
    if (again.type === 'outside' || again.real !== target.real) {
      return { type: 'refused', message: `${request.path} now leads to another file, so nothing was written` };
    }
    await rename(beside, target.real);
    return { type: 'done', value: undefined };
  } catch (error) {
    return { type: 'refused', message: error instanceof Error ? error.message : String(error) };
  } finally {
    await rm(beside, { force: true });
  }
}

/** Lines count from 1. */
function linesOf(text: string, line: number | null | undefined, limit: number | null | undefined): string {
  if ((line ?? undefined) === undefined && (limit ?? undefined) === undefined) return text;
  const from = Math.max(0, (line ?? 1) - 1);
  const lines = text.split('\n');
  return lines.slice(from, (limit ?? undefined) === undefined ? undefined : from + (limit ?? 0)).join('\n');
}

async function modeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mode & 0o7777;
  } catch {
    return undefined;
  }
}
