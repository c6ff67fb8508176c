/**
 * Instruction files of a project: `AGENTS.md` and `CLAUDE.md`, from the repository's root down to the working
 * folder. Rondo doesn't follow imports (`@file`) in them; the agent can read those files.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';

import { isBelow } from '../security/paths/is-below.ts';
import { loadText, type LoadedText } from './load-text.ts';

const names = ['AGENTS.md', 'CLAUDE.md'];
const bounds = { fileBytes: 32 * 1024, bytes: 96 * 1024 };

/** Outermost first. Leaves out a file with the same content as an earlier one (a link or a copy). */
export async function loadInstructions(root: string, cwd: string): Promise<readonly LoadedText[]> {
  const [top, bottom] = await Promise.all([realpath(root), realpath(cwd)]);
  if (!isBelow(bottom, top)) return [];
  const below = path.relative(top, bottom).split(path.sep).filter(Boolean);
  const folders = [top, ...below.map((_, index) => path.join(top, ...below.slice(0, index + 1)))];
  const files = folders.flatMap((folder) => names.map((name) => path.join(folder, name)));
  const read = await Promise.all(files.map((file) => loadText(top, file, bounds.fileBytes)));
  const texts: LoadedText[] = [];
  let bytes = 0;
  for (const loaded of read) {
    if (loaded.type !== 'loaded' || loaded.text.text.trim() === '') continue;
    const { text } = loaded;
    if (texts.some((other) => other.text === text.text)) continue;
    bytes += Buffer.byteLength(text.text);
    if (bytes > bounds.bytes) break;
    texts.push(text);
  }
  return texts;
}
