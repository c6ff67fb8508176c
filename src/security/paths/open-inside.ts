import { constants } from 'node:fs';
import { type FileHandle, open, readlink } from 'node:fs/promises';

import { isBelow } from './is-below.ts';
import { type PathVerdict, resolveInside } from './paths.ts';

type OpenedInside =
  | { readonly type: 'opened'; readonly handle: FileHandle; readonly real: string }
  | Extract<PathVerdict, { type: 'outside' }>
  | { readonly type: 'failed'; readonly code: string; readonly message: string };

/**
 * Opens a file inside the roots and verifies on the open file itself that it is inside.
 *
 * The last part of the path is never followed as a link. On Linux the kernel reports what was opened, which reveals
 * a folder that was swapped for a link after the check. Elsewhere the path is resolved a second time, which narrows
 * the race but doesn't close it. A race may create an empty file outside the roots, but nothing is read from or
 * written to it. The caller closes the handle.
 */
export async function openInside(
  requested: string,
  options: {
    readonly roots: readonly string[];
    readonly from?: string;
    readonly access: 'read' | 'write' | 'append' | 'create';
  },
): Promise<OpenedInside> {
  const verdict = await resolveInside(requested, options);
  if (verdict.type === 'outside') return verdict;
  // Doesn't truncate: the opened file isn't yet verified to be inside.
  const flags = FLAGS[options.access] | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  let handle: FileHandle;
  try {
    handle = await open(verdict.real, flags, 0o666);
  } catch (error) {
    return failure(error);
  }
  try {
    const opened = await pathOfHandle(handle, verdict.real, options);
    const stats = await handle.stat();
    const reason = !isBelow(opened, verdict.root)
      ? 'symlink-out'
      : stats.isFile() || stats.isDirectory()
        ? undefined
        : 'special-file';
    if (reason !== undefined) {
      await handle.close();
      return {
        type: 'outside',
        code: 'SANDBOX_VIOLATION',
        reason,
        message: `${JSON.stringify(requested)} changed while being opened: ${opened}`,
      };
    }
    if (options.access === 'write') await handle.truncate(0);
    return { type: 'opened', handle, real: opened };
  } catch (error) {
    await handle.close();
    return failure(error);
  }
}

const FLAGS = {
  read: constants.O_RDONLY,
  write: constants.O_RDWR | constants.O_CREAT,
  append: constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL,
} as const;

async function pathOfHandle(
  handle: FileHandle,
  expected: string,
  options: { readonly roots: readonly string[] },
): Promise<string> {
  if (process.platform === 'linux') return readlink(`/proc/self/fd/${handle.fd}`);
  const again = await resolveInside(expected, options);
  return again.type === 'inside' ? again.real : '/';
}

function failure(error: unknown): OpenedInside {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
  return { type: 'failed', code, message: error instanceof Error ? error.message : String(error) };
}
