/**
 * Instruction files of a project: `AGENTS.md`, `CLAUDE.md` and `GEMINI.md`, from the repository's root down to the
 * working folder, then the rules folders of other agents. Rondo doesn't follow imports (`@file`) in them; the agent
 * can read those files.
 */
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';

import { isBelow } from '../security/paths/is-below.ts';
import { loadText, type LoadedText } from './load-text.ts';

const names = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'];
/** Read at the root only, as their tools do. */
const rootFiles = ['.github/copilot-instructions.md', '.cursorrules', '.windsurfrules'];
const rulesFolders = ['.claude/rules', '.cursor/rules', '.clinerules'];
const bounds = { fileBytes: 32 * 1024, bytes: 96 * 1024 };

/** Outermost first. Leaves out a file with the same content as an earlier one (a link or a copy). */
export async function loadInstructions(root: string, cwd: string): Promise<readonly LoadedText[]> {
  const [top, bottom] = await Promise.all([realpath(root), realpath(cwd)]);
  if (!isBelow(bottom, top)) return [];
  const below = path.relative(top, bottom).split(path.sep).filter(Boolean);
  const folders = [top, ...below.map((_, index) => path.join(top, ...below.slice(0, index + 1)))];
  const files = [
    ...folders.flatMap((folder) => names.map((name) => path.join(folder, name))),
    ...rootFiles.map((name) => path.join(top, name)),
    ...(await Promise.all(rulesFolders.map((folder) => rulesIn(path.join(top, folder))))).flat(),
  ];
  const read = await Promise.all(files.map((file) => loadText(top, file, bounds.fileBytes)));
  const texts: LoadedText[] = [];
  let bytes = 0;
  for (const loaded of read) {
    if (loaded.type !== 'loaded' || loaded.text.text.trim() === '') continue;
    const { text } = loaded;
    if (text.path.endsWith('.mdc') && !isForEveryTask(text.text)) continue;
    if (texts.some((other) => other.text === text.text)) continue;
    bytes += Buffer.byteLength(text.text);
    if (bytes > bounds.bytes) break;
    texts.push(text);
  }
  return texts;
}

/** Other rules of this kind name the files they are for. */
function isForEveryTask(text: string): boolean {
  return /^---\r?\n[\s\S]*?^alwaysApply:\s*true\s*$/m.test(text);
}

async function rulesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder).catch(() => []);
  return entries
    .filter((name) => /\.mdc?$/.test(name))
    .toSorted()
    .map((name) => path.join(folder, name));
}
