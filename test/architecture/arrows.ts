// Checks the imports of src/ against the arrow table of docs/ARCHITECTURE.md. Works on text, so that a test can
// show what it refuses.

import path from 'node:path/posix';

import { parseSync, Visitor } from 'oxc-parser';

/** Rules by folder of src/ (or file directly in it). */
export type ArrowTable = ReadonlyMap<string, ArrowRule>;

/**
 * The parts that a part of a folder may import, by part: `session/read` is a sub-folder, `session` the files directly
 * in the folder. A folder without rows has no arrows between its parts.
 */
export type PartTable = ReadonlyMap<string, readonly string[]>;

type ArrowRule = {
  readonly folders: { readonly type: 'only' | 'all-but'; readonly names: readonly string[] };
  readonly packages: 'any' | readonly string[];
};

/** Contents by path relative to src/, with forward slashes. */
export type Sources = ReadonlyMap<string, string>;

type Import = { readonly from: string; readonly line: number; readonly specifier: string };

const TABLE_HEAD = /^\|\s*folder\s*\|\s*may import\s*\|\s*packages\s*\|$/;
const PARTS_HEAD = /^\|\s*part\s*\|\s*may import\s*\|\s*what it is\s*\|$/;
const VAGUE_NAME = /^(index|utils?|helpers?|common|types|managers?)$/;

export function parseArrowTable(page: string): ArrowTable {
  return new Map(rowsUnder(page, TABLE_HEAD, 'folder | may import | packages').map(parseRow));
}

export function parsePartTable(page: string): PartTable {
  return new Map(
    rowsUnder(page, PARTS_HEAD, 'part | may import | what it is').map((row) => {
      const [part, { folders }] = parseRow(row);
      return [part, folders.names];
    }),
  );
}

function rowsUnder(page: string, tableHead: RegExp, columns: string): readonly string[] {
  const lines = page.split('\n');
  const head = lines.findIndex((line) => tableHead.test(line.trim()));
  if (head === -1) throw new Error(`docs/ARCHITECTURE.md has no table "${columns}"`);
  const end = lines.findIndex((line, index) => index > head && !line.trim().startsWith('|'));
  return lines.slice(head + 2, end === -1 ? undefined : end);
}

/** One message per broken rule; empty if all hold. */
export function checkArrows(sources: Sources, table: ArrowTable, parts: PartTable): string[] {
  const files = [...sources.keys()]
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .toSorted();
  const imports = files.flatMap((file) => importsOf(file, sources.get(file) ?? ''));
  return [
    ...files.flatMap(checkName),
    ...[...new Set(files.map(folderOf))]
      .filter((folder) => !table.has(folder))
      .map((folder) => `src/${folder}: not in the arrow table of docs/ARCHITECTURE.md`),
    ...imports.flatMap((entry) => checkImport(entry, table)),
    ...checkParts(files, imports, parts),
    ...findCycles(targetsByFile(files, imports)).map(
      (cycle) => `import cycle: ${cycle.map((file) => `src/${file}`).join(' → ')}`,
    ),
  ];
}

function parseRow(row: string): [string, ArrowRule] {
  const [, folder = '', mayImport = '', packages = ''] = row.split('|').map((cell) => cell.trim());
  const name = namesIn(folder)[0];
  if (name === undefined) throw new Error(`arrow table: no folder in \`code\` in the row ${row}`);
  const names = namesIn(mayImport);
  if (names.length === 0 && !['nothing', 'everything'].includes(mayImport)) {
    throw new Error(`arrow table: cannot read "${mayImport}" of ${name}`);
  }
  return [
    name,
    {
      folders: { type: mayImport.startsWith('everything') ? 'all-but' : 'only', names },
      packages: packages === 'any' ? 'any' : namesIn(packages),
    },
  ];
}

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
}

function checkName(file: string): string[] {
  const vague = file.split('/').find((part) => VAGUE_NAME.test(part.replace(/\..*$/, '')));
  return vague === undefined ? [] : [`src/${file}: "${vague}" names no concept (no barrels, no utils)`];
}

function checkImport(entry: Import, table: ArrowTable): string[] {
  const folder = folderOf(entry.from);
  const rule = table.get(folder);
  if (rule === undefined) return [];
  const refuse = (reason: string) => [`src/${entry.from}:${entry.line}: import '${entry.specifier}': ${reason}`];

  if (!entry.specifier.startsWith('.')) {
    const name = packageOf(entry.specifier);
    if (name === 'rondo') return refuse('inside src/ modules are imported by their relative path');
    if (rule.packages === 'any' || rule.packages.includes(name)) return [];
    return refuse(`${folder} may import ${listOf(rule.packages, 'no')} packages`);
  }
  const target = targetOf(entry);
  if (target === '../package.json') return [];
  if (target.startsWith('..')) return refuse('nothing outside src/ may be imported');
  if (target.endsWith('.test.ts')) return refuse('a test is imported by nobody');
  const other = folderOf(target);
  if (other === folder) return [];
  if (other === 'testing') return refuse('testing is imported by tests only');
  const { type, names } = rule.folders;
  if (names.includes(other) === (type === 'only')) return [];
  return refuse(
    type === 'only'
      ? `${folder} may import ${listOf(names, 'nothing')}, not ${other}`
      : `${folder} may import everything but ${names.join(', ')}`,
  );
}

function checkParts(files: readonly string[], imports: readonly Import[], table: PartTable): string[] {
  const declared = new Set([...table.keys()].map(folderOf));
  const parts = [...new Set(files.map(partOf))].filter((part) => declared.has(folderOf(part)));
  const within = imports.filter(
    (entry) =>
      entry.specifier.startsWith('.') &&
      declared.has(folderOf(entry.from)) &&
      folderOf(entry.from) === folderOf(targetOf(entry)) &&
      partOf(entry.from) !== partOf(targetOf(entry)),
  );
  const arrows = new Map(
    parts.map((part) => [
      part,
      within.filter(({ from }) => partOf(from) === part).map((entry) => partOf(targetOf(entry))),
    ]),
  );
  return [
    ...parts
      .filter((part) => !table.has(part))
      .map((part) => `src/${part}: not in the table of parts of docs/ARCHITECTURE.md`),
    ...within
      .filter((entry) => table.get(partOf(entry.from))?.includes(partOf(targetOf(entry))) === false)
      .map((entry) => {
        const names = listOf(table.get(partOf(entry.from)) ?? [], 'nothing');
        const { from, line, specifier } = entry;
        return `src/${from}:${line}: import '${specifier}': ${partOf(from)} may import ${names}, not ${partOf(targetOf(entry))}`;
      }),
    ...findCycles(arrows).map((cycle) => `cycle of parts: ${cycle.map((part) => `src/${part}`).join(' → ')}`),
  ];
}

function importsOf(file: string, text: string): Import[] {
  const { program, module, errors } = parseSync(file, text);
  if (errors[0] !== undefined) throw new Error(`src/${file}: ${errors[0].message}`);
  const found: { readonly start: number; readonly specifier: string }[] = [];
  const add = (start: number, specifier: string) => found.push({ start, specifier });

  for (const { start, moduleRequest } of module.staticImports) add(start, moduleRequest.value);
  for (const { entries } of module.staticExports) {
    for (const { start, moduleRequest } of entries) if (moduleRequest) add(start, moduleRequest.value);
  }
  new Visitor({
    ImportExpression(node) {
      if (node.source.type === 'Literal') add(node.start, String(node.source.value));
    },
    TSImportType(node) {
      add(node.start, node.source.value);
    },
  }).visit(program);

  return found.map(({ start, specifier }) => ({
    from: file,
    line: text.slice(0, start).split('\n').length,
    specifier,
  }));
}

function targetsByFile(files: readonly string[], imports: readonly Import[]): Map<string, string[]> {
  return new Map(
    files.map((file) => [
      file,
      imports.filter(({ from, specifier }) => from === file && specifier.startsWith('.')).map(targetOf),
    ]),
  );
}

function findCycles(targets: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    const seenAt = trail.indexOf(file);
    if (seenAt !== -1) cycles.push([...trail.slice(seenAt), file]);
    if (seenAt !== -1 || done.has(file)) return;
    for (const target of targets.get(file) ?? []) visit(target, [...trail, file]);
    done.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  return cycles;
}

function folderOf(file: string): string {
  return file.split('/')[0] ?? file;
}

/** The sub-folder of a file in src/, or its folder if the file is directly in it. */
function partOf(file: string): string {
  return path.dirname(file).split('/').slice(0, 2).join('/');
}

function targetOf({ from, specifier }: Import): string {
  return path.join(path.dirname(from), specifier);
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier);
}

function listOf(names: readonly string[], none: string): string {
  return names.length === 0 ? none : `only ${names.join(', ')}`;
}
