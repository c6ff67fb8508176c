/**
 * Instruction files of a project: `AGENTS.md`, `CLAUDE.md` and `GEMINI.md`, from the repository's root down to the
 * working folder, then the rules folders of other agents and the files that OpenCode's configuration names. Each is
 * followed by the files that it imports (`@file`), if they are in the project.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';

import { isBelow } from '../security/paths/is-below.ts';
import { loadText, type LoadedText, type LoadText } from './load-text.ts';
import { opencodeInstructions } from './opencode-instructions.ts';
import { ruleFiles, shownRule } from './rules-folders.ts';

const names = ['AGENTS.md', 'CLAUDE.md', 'CLAUDE.local.md', 'GEMINI.md'];
/** Read at the root only, as their tools do. */
const rootFiles = [
  '.claude/CLAUDE.md',
  '.github/copilot-instructions.md',
  '.cursorrules',
  '.windsurfrules',
  '.clinerules',
];
const bounds = { fileBytes: 32 * 1024, bytes: 96 * 1024, imports: 5, files: 100 };

export async function loadInstructions(root: string, cwd: string): Promise<readonly LoadedText[]> {
  return (await readInstructions(root, cwd)).instructions;
}

interface Instructions {
  readonly instructions: readonly LoadedText[];
  /** Files that are named, but not read. */
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
}

/** Outermost first. Leaves out a file with the same content as an earlier one (a link or a copy). */
export async function readInstructions(root: string, cwd: string): Promise<Instructions> {
  const [top, bottom] = await Promise.all([realpath(root), realpath(cwd)]);
  if (!isBelow(bottom, top)) return { instructions: [], leftOut: [] };
  const below = path.relative(top, bottom).split(path.sep).filter(Boolean);
  const folders = [top, ...below.map((_, index) => path.join(top, ...below.slice(0, index + 1)))];
  const files = [
    ...folders.flatMap((folder) => names.map((name) => path.join(folder, name))),
    ...rootFiles.map((name) => path.join(top, name)),
    ...(await opencodeInstructions(top)),
  ];
  const [named, rules] = await Promise.all([
    Promise.all(files.map((file) => withImports(top, file))),
    ruleFiles(top).then((found) => Promise.all(found.map((file) => ruleIn(top, file)))),
  ]);
  const read = [...named.flat(), ...rules.flat()];
  const leftOut = read.flatMap((one) => (one.type === 'left-out' ? [{ path: one.path, reason: one.reason }] : []));
  const instructions: LoadedText[] = [];
  let bytes = 0;
  for (const loaded of read) {
    if (loaded.type !== 'loaded') continue;
    const { text } = loaded;
    if (text.text.trim() === '' || instructions.some((other) => other.text === text.text)) continue;
    bytes += Buffer.byteLength(text.text);
    if (bytes > bounds.bytes || instructions.length >= bounds.files) {
      const reason = `there are more than ${bounds.bytes / 1024} kB or ${bounds.files} files of instructions.`;
      leftOut.push({ path: text.path, reason });
    } else instructions.push(text);
  }
  return { instructions, leftOut };
}

async function ruleIn(top: string, file: string): Promise<readonly Read[]> {
  const loaded = await loadText(top, file, bounds.fileBytes);
  if (loaded.type === 'absent') return [];
  if (loaded.type === 'left-out') return [loaded];
  const rule = await shownRule(loaded.text.text, loaded.text.path);
  return rule === undefined
    ? []
    : [{ ...loaded, text: rule === loaded.text.text ? loaded.text : { path: loaded.text.path, text: rule } }];
}

type Read = Exclude<LoadText, { readonly type: 'absent' }>;

/** The file and what it imports, in the order of the text. Each file once, so a circle ends. */
async function withImports(
  top: string,
  file: string,
  seen: Set<string> = new Set(),
  depth = 0,
): Promise<readonly Read[]> {
  const loaded = await loadText(top, file, bounds.fileBytes);
  if (loaded.type === 'absent') return [];
  if (loaded.type === 'left-out') return [loaded];
  if (seen.has(loaded.realPath) || seen.size >= bounds.files) return [];
  seen.add(loaded.realPath);
  const mayImport = depth > 0 || /^(?:CLAUDE|GEMINI)\b/.test(path.basename(file));
  if (!mayImport || depth === bounds.imports) return [loaded];
  const imported: Read[] = [];
  for (const name of importsIn(loaded.text.text))
    imported.push(
      ...(/^[~/]/.test(name)
        ? [{ type: 'left-out', path: name, reason: 'it is outside the project.' } as const]
        : await withImports(top, path.resolve(path.dirname(file), name), seen, depth + 1)),
    );
  return [loaded, ...imported];
}

/** `@docs/style.md`, but neither in code nor in an address. */
function importsIn(text: string): readonly string[] {
  const prose = text.replaceAll(/^(```|~~~)[\s\S]*?^\1|`[^`\n]*`/gm, '');
  return [...prose.matchAll(/(?<=^|\s)@((?:(?:~|\.{1,2})?\/)?[\w./-]*[\w-])/g)].flatMap(([, name = '']) =>
    /[./]/.test(name) ? [name] : [],
  );
}
