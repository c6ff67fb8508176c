/**
 * Instruction files of a project: `AGENTS.md`, `CLAUDE.md` and `GEMINI.md`, from the repository's root down to the
 * working folder, then the rules folders of other agents and what OpenCode is told to read. Each is followed by the
 * files that it imports (`@file`), if they are in the project.
 */
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';

import { isBelow } from '../security/paths/is-below.ts';
import { loadText, type LoadedText, type LoadText } from './load-text.ts';
import { opencodeInstructions } from './opencode-instructions.ts';

const names = ['AGENTS.md', 'CLAUDE.md', 'CLAUDE.local.md', 'GEMINI.md'];
/** Read at the root only, as their tools do. */
const rootFiles = ['.github/copilot-instructions.md', '.cursorrules', '.windsurfrules'];
const rulesFolders = ['.claude/rules', '.cursor/rules', '.clinerules'];
const bounds = { fileBytes: 32 * 1024, bytes: 96 * 1024, imports: 5, files: 100 };

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
    ...(await opencodeInstructions(top)),
  ];
  const read = (await Promise.all(files.map((file) => withImports(top, file)))).flat().slice(0, bounds.files);
  const texts: LoadedText[] = [];
  let bytes = 0;
  for (const loaded of read) {
    const { text } = loaded;
    if (text.text.trim() === '') continue;
    if (text.path.endsWith('.mdc') && !isForEveryTask(text.text)) continue;
    if (texts.some((other) => other.text === text.text)) continue;
    bytes += Buffer.byteLength(text.text);
    if (bytes > bounds.bytes) break;
    texts.push(text);
  }
  return texts;
}

type Loaded = Extract<LoadText, { readonly type: 'loaded' }>;

/** The file and what it imports, in the order of the text. Each file once, so a circle ends. */
async function withImports(
  top: string,
  file: string,
  seen: Set<string> = new Set(),
  depth = 0,
): Promise<readonly Loaded[]> {
  const loaded = await loadText(top, file, bounds.fileBytes);
  if (loaded.type !== 'loaded' || seen.has(loaded.realPath) || seen.size >= bounds.files) return [];
  seen.add(loaded.realPath);
  const mayImport = depth > 0 || /^(?:CLAUDE|GEMINI)\b/.test(path.basename(file));
  if (!mayImport || depth === bounds.imports) return [loaded];
  const imported: Loaded[] = [];
  for (const name of importsIn(loaded.text.text))
    imported.push(...(await withImports(top, path.resolve(path.dirname(file), name), seen, depth + 1)));
  return [loaded, ...imported];
}

/** `@docs/style.md`, but neither in code nor in an address. */
function importsIn(text: string): readonly string[] {
  const prose = text.replaceAll(/^(```|~~~)[\s\S]*?^\1|`[^`\n]*`/gm, '');
  return [...prose.matchAll(/(?<=^|\s)@((?:\.{0,2}\/)?[\w./-]*[\w-])/g)].flatMap(([, name = '']) =>
    /[./]/.test(name) && !name.startsWith('/') ? [name] : [],
  );
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
