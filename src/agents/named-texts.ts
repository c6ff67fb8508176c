/**
 * Markdown files with front matter that a project or a person keeps in a folder: commands and skills. Gemini CLI's
 * commands are TOML. A project's are exactly the content that was trusted; a person's are read from disk.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import { looseFrontMatter } from './front-matter.ts';
import { commandInToml } from './gemini-command.ts';
import type { ProjectFiles } from './project-files.ts';

/** Where commands and skills come from. */
export interface TextSources {
  /** `$RONDO_HOME`. */
  readonly home: string;
  /** The person's home folder. */
  readonly userHome: string;
  /** The project's folder and trusted files; none if it isn't trusted. */
  readonly project: { readonly folder: string; readonly files: ProjectFiles['files'] };
}

export interface NamedText {
  /** Below its folder, without the extension, with `/`. */
  readonly path: string;
  readonly file: string;
  readonly layer: 'project' | 'user';
  readonly facts: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** What the texts define, sorted by name. Of two with the same name the first counts. */
export function firstByName<Definition extends { readonly name: string }>(
  texts: readonly NamedText[],
  define: (text: NamedText) => Definition | undefined,
): readonly Definition[] {
  const byName = new Map<string, Definition>();
  for (const text of texts) {
    const definition = define(text);
    if (definition !== undefined && !byName.has(definition.name)) byName.set(definition.name, definition);
  }
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const limits = { files: 500, bytes: 256 * 1024, depth: 4 };

type Ending = '.md' | '.toml';

/** Files below `folder` of a trusted project with this ending. */
export async function projectTexts(
  files: ProjectFiles['files'],
  project: string,
  folder: string,
  ending: Ending = '.md',
): Promise<readonly NamedText[]> {
  const texts = [...files].flatMap(([relative, { text }]) => {
    const below = relative.startsWith(`${folder}/`) ? relative.slice(folder.length + 1) : '';
    return below.endsWith(ending) && text !== undefined ? [{ below, relative, text }] : [];
  });
  const read = texts.map(({ below, relative, text }) =>
    namedText({ path: below, file: path.join(project, relative), layer: 'project' }, text),
  );
  return (await Promise.all(read)).filter((one) => one !== undefined);
}

/** Files below a folder of the person's own. */
export async function userTexts(folder: string, ending: Ending = '.md'): Promise<readonly NamedText[]> {
  const files = await filesBelow(folder, '', ending, limits.depth);
  const read = files.slice(0, limits.files).map(async (relative) => {
    const file = path.join(folder, relative);
    const text = await textOf(file);
    return text === undefined ? undefined : namedText({ path: relative, file, layer: 'user' }, text);
  });
  return (await Promise.all(read)).filter((one) => one !== undefined);
}

async function filesBelow(
  folder: string,
  below: string,
  ending: Ending,
  depth: number,
): Promise<readonly string[]> {
  const entries = await readdir(path.join(folder, below), { withFileTypes: true }).catch(() => []);
  const texts = entries
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(async (entry) => {
      const relative = below === '' ? entry.name : `${below}/${entry.name}`;
      // Links are followed: people keep such files elsewhere.
      const kind = entry.isSymbolicLink() ? await stat(path.join(folder, relative)).catch(() => undefined) : entry;
      if (kind?.isDirectory() === true) return depth === 0 ? [] : filesBelow(folder, relative, ending, depth - 1);
      return kind?.isFile() === true && entry.name.endsWith(ending) ? [relative] : [];
    });
  return (await Promise.all(texts)).flat();
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return (await stat(file)).size > limits.bytes ? undefined : await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}

async function namedText(
  { path: at, ...where }: Pick<NamedText, 'path' | 'file' | 'layer'>,
  source: string,
): Promise<NamedText | undefined> {
  const place = { path: at.slice(0, -path.extname(at).length), ...where };
  if (at.endsWith('.toml')) {
    const { prompt, ...facts } = commandInToml(source);
    return { ...place, facts, text: prompt };
  }
  const { facts, body } = await looseFrontMatter(source, place.file);
  return { ...place, facts, text: body };
}

/** A fact as one line, or undefined. */
export function lineOf(value: unknown, most = 200): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const line = String(value).replaceAll(/\s+/g, ' ').trim();
  return line === '' ? undefined : line.slice(0, most);
}
