/**
 * Reads a project's configuration once, so that the trusted bytes are the bytes in use.
 *
 * 1. The hash covers everything in `.rondo/` and `rondo.json`, by sorted path and content.
 * 2. A symbolic link counts as its target's path and is never followed, so nothing outside can change what was
 *    trusted.
 * 3. Rules that may only tighten are read, and need no trust.
 */
import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';

import { personalRules, type Project } from './project.ts';

export interface ProjectFiles {
  readonly folder: string;
  /** Of all paths and contents. */
  readonly hash: string;
  /** By path relative to `folder`, with `/`, sorted. */
  readonly files: ReadonlyMap<string, ProjectFile>;
  /** Too large to read at start, and so impossible to trust. */
  readonly tooLarge: boolean;
}

interface ProjectFile {
  readonly hash: string;
  /** Absent if it isn't a plain file or is too large. */
  readonly text?: string;
}

const limits = { files: 2_000, bytes: 64 * 1024 * 1024, textBytes: 1024 * 1024 };

export async function readProjectFiles({
  folder,
  parts,
}: Pick<Project, 'folder' | 'parts'>): Promise<ProjectFiles> {
  const entries: [string, ProjectFile][] = [];
  let bytes = 0;
  let tooLarge = false;

  const read = async (relative: string): Promise<void> => {
    const full = path.join(folder, relative);
    const stats = await lstat(full).catch(() => undefined);
    if (stats === undefined || tooLarge) return;
    if (stats.isDirectory()) {
      for (const name of (await readdir(full)).toSorted()) await read(`${relative}/${name}`);
      return;
    }
    if (entries.length >= limits.files || (bytes += stats.size) > limits.bytes) {
      tooLarge = true;
      return;
    }
    entries.push([relative, await readProjectFile(full, stats)]);
  };
  for (const part of parts) await read(part);

  const files = new Map(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const whole = createHash('sha256');
  for (const [relative, { hash }] of files)
    if (relative !== personalRules) whole.update(`${JSON.stringify(relative)} ${hash}\n`);
  return { folder, hash: whole.digest('hex'), files, tooLarge };
}

async function readProjectFile(
  file: string,
  stats: { isFile(): boolean; isSymbolicLink(): boolean },
): Promise<ProjectFile> {
  if (stats.isSymbolicLink()) return { hash: digest(`link ${await readlink(file)}`) };
  if (!stats.isFile()) return { hash: digest('special') };
  const content = await readFile(file);
  const hash = createHash('sha256').update('file ').update(content).digest('hex');
  return content.length > limits.textBytes ? { hash } : { hash, text: content.toString('utf8') };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
