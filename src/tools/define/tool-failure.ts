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
export function encodingFailure(label: string, { encoding }: { readonly encoding: string }): ToolFailure {
  return failure('bad-encoding', `${label} is ${encoding}, which can't represent all of these characters.`);
}

/** Converts a file-system error about `what` into a failure the model can act on, or a disk failure. */
export function fileFailure(error: unknown, what: string): ToolFailure {
  const code = errorCode(error);
  switch (code) {
    case 'ENOENT':
      return failure('not-found', `${what} does not exist. List the folder to see its files.`);
    case 'ENOTDIR':
      return failure('not-a-folder', `A part of ${what} is a file, not a folder.`);
    case 'EISDIR':
      return failure('is-a-folder', `${what} is a folder. Use list to see its content.`);
    case 'EACCES':
    case 'EPERM':
      return failure('no-permission', `Permission denied: ${what}.`);
    case 'ENOTEMPTY':
    case 'EEXIST':
      return failure('exists', `${what} already exists or isn't empty.`);
    case 'ELOOP':
      return failure('SANDBOX_VIOLATION', `${what} contains a symbolic link that isn't allowed here.`);
    case 'ENAMETOOLONG':
      return failure('bad-path', `The path ${what.slice(0, 80)}… is too long.`);
    case 'ENOSPC':
    case 'EDQUOT':
      throw new Fault('disk-full', `No disk space left for ${what}. Free some space, then retry.`, {
        cause: error,
      });
    case 'EROFS':
      throw new Fault('read-only', `${what} is on a read-only file system. Choose another location.`, {
        cause: error,
      });
    default:
      throw new Fault('unreadable', `Can't access ${what}: ${messageOf(error)}`, { cause: error });
  }
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
