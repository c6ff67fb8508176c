/** Reads a text file inside a folder up to a size limit, with symbolic links resolved. */
import { open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

import { isBelow } from '../security/paths/is-below.ts';
import { sensitivityOf } from '../security/paths/paths.ts';

export interface LoadedText {
  /** Relative to the project's root, with `/`. */
  readonly path: string;
  readonly text: string;
  /** Present if the text was cut. */
  readonly cut?: { readonly shown: number; readonly bytes: number };
}

export type LoadText =
  | { readonly type: 'loaded'; readonly text: LoadedText; readonly realPath: string }
  | { readonly type: 'absent' }
  | { readonly type: 'left-out'; readonly path: string; readonly reason: string };

/** `root` is a real path. Reads at most `bytes` and never splits a character. */
export async function loadText(root: string, file: string, bytes: number): Promise<LoadText> {
  const displayPath = path.relative(root, file).replaceAll(path.sep, '/');
  const leftOut = (reason: string): LoadText => ({ type: 'left-out', path: displayPath, reason });
  try {
    const realPath = await realpath(file);
    if (!isBelow(realPath, root)) return leftOut('it is outside the project.');
    if (sensitivityOf(path.relative(root, realPath)) === 'secret') return leftOut('it holds secrets.');
    // checked before opening: opening a pipe would wait for its writer
    const stats = await stat(realPath);
    if (!stats.isFile()) return stats.isDirectory() ? { type: 'absent' } : leftOut("it isn't a plain file.");
    await using handle = await open(realPath, 'r');
    const buffer = Buffer.alloc(Math.min(bytes, stats.size));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    const content = buffer.subarray(0, bytesRead);
    if (content.includes(0)) return leftOut("it isn't text.");
    const isWhole = bytesRead >= stats.size;
    const text = new TextDecoder().decode(content, { stream: !isWhole });
    const cut = isWhole ? {} : { cut: { shown: Buffer.byteLength(text), bytes: stats.size } };
    return { type: 'loaded', text: { path: displayPath, text, ...cut }, realPath };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { type: 'absent' };
    return leftOut(`it can't be read (${code ?? String(error)}).`);
  }
}
