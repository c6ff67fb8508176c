import { Fault } from '../../kernel/fault.ts';
import type { ToolResult } from '../../kernel/outcome.ts';

export type ToolFailure = Extract<ToolResult, { type: 'error' }>;

/** An ordinary result that explains what failed and what to do next. */
export function failure(
  code: string,
  message: string,
  options: { readonly retryable?: boolean } = {},
): ToolFailure {
  return { type: 'error', code, message, ...(options.retryable === true && { retryable: true }) };
}

/** A file keeps its encoding. Text that doesn't fit it is refused rather than written in another encoding. */
export function encodingFailure(shown: string, { encoding }: { readonly encoding: string }): ToolFailure {
  return failure('bad-encoding', `${shown} is ${encoding}, which cannot hold all of these characters.`);
}

/** Converts a file-system error about `what` into a failure the model can act on, or a disk failure. */
export function fileFailure(error: unknown, what: string): ToolFailure {
  const code = errorCode(error);
  switch (code) {
    case 'ENOENT':
      return failure('not-found', `${what} does not exist. List the folder to see what is there.`);
    case 'ENOTDIR':
      return failure('not-a-folder', `A part of ${what} is a file, not a folder.`);
    case 'EISDIR':
      return failure('is-a-folder', `${what} is a folder. Use list to see what is in it.`);
    case 'EACCES':
    case 'EPERM':
      return failure('no-permission', `${what} may not be touched by this user.`);
    case 'ENOTEMPTY':
    case 'EEXIST':
      return failure('exists', `${what} exists already or is not empty.`);
    case 'ELOOP':
      return failure('SANDBOX_VIOLATION', `${what} is a symbolic link where none may be.`);
    case 'ENAMETOOLONG':
      return failure('bad-path', `The path ${what.slice(0, 80)}… is too long.`);
    case 'ENOSPC':
    case 'EDQUOT':
      throw new Fault('disk-full', `No space was left while working on ${what}; free some, then try again.`, {
        cause: error,
      });
    case 'EROFS':
      throw new Fault('read-only', `${what} is on a read-only file system; choose another place.`, {
        cause: error,
      });
    default:
      throw new Fault('unreadable', `${what} could not be used: ${messageOf(error)}`, { cause: error });
  }
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
