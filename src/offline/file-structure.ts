/** A file's structure by the shape of its lines, without a parser. */
export interface Section {
  readonly title: string;
  readonly entries: readonly { readonly name: string; readonly line: number }[];
}

interface Shape {
  readonly title: string;
  readonly pattern: RegExp;
}

export function structureOf(path: string, lines: readonly string[]): readonly Section[] {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (ending === 'json' || ending === 'jsonc') return jsonKeys(lines);
  const shapes = shapesByEnding[ending] ?? [];
  const isProse = shapes === markdown;
  const sections = shapes.map(({ title }) => ({ title, entries: [] as { name: string; line: number }[] }));
  let isFenced = false;
  for (const [index, line] of lines.entries()) {
    if (isProse && /^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced;
    if (isFenced) continue;
    const at = shapes.findIndex(({ pattern }) => pattern.test(line));
    const name = shapes[at]?.pattern.exec(line)?.[1];
    if (name !== undefined) sections[at]?.entries.push({ name: name.trim(), line: index + 1 });
  }
  return sections.filter(({ entries }) => entries.length > 0);
}

const script: readonly Shape[] = [
  { title: 'Imports', pattern: /^import\s.*?from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]/ },
  {
    title: 'Exports',
    pattern:
      /^export\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?((?:async\s+)?(?:function\*?|class|const|let|var|interface|type|enum|namespace)\s+[\w$]+)/,
  },
  { title: 'Exports', pattern: /^(?:module\.)?exports\.?([\w$]*)\s*=/ },
  { title: 'Classes', pattern: /^(?:abstract\s+)?class\s+([\w$]+)/ },
  { title: 'Functions', pattern: /^(?:async\s+)?function\*?\s+([\w$]+)/ },
  {
    title: 'Functions',
    pattern: /^(?:const|let)\s+([\w$]+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:\([^)]*\)|[\w$]+)\s*(?::[^=]+)?=>/,
  },
  { title: 'Types', pattern: /^(?:interface|type|enum)\s+([\w$]+)/ },
  { title: 'Tests', pattern: /^\s*(?:test|it|describe)(?:\.\w+)?\(\s*['"`]([^'"`]+)/ },
];
const python: readonly Shape[] = [
  { title: 'Imports', pattern: /^(?:from|import)\s+([\w.]+)/ },
  { title: 'Classes', pattern: /^class\s+(\w+)/ },
  { title: 'Methods', pattern: /^\s+(?:async\s+)?def\s+(\w+)/ },
  { title: 'Functions', pattern: /^(?:async\s+)?def\s+(\w+)/ },
  { title: 'Constants', pattern: /^([A-Z][A-Z0-9_]+)\s*[:=]/ },
];
const go: readonly Shape[] = [
  { title: 'Package', pattern: /^package\s+(\w+)/ },
  { title: 'Types', pattern: /^type\s+(\w+)/ },
  { title: 'Methods', pattern: /^func\s+(\([^)]*\)\s*\w+)/ },
  { title: 'Functions', pattern: /^func\s+(\w+)/ },
];
const rust: readonly Shape[] = [
  { title: 'Uses', pattern: /^\s*(?:pub\s+)?use\s+([^;]+);/ },
  { title: 'Modules', pattern: /^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)/ },
  { title: 'Types', pattern: /^\s*(?:pub(?:\([^)]*\))?\s+)?((?:struct|enum|trait|type|union)\s+\w+)/ },
  { title: 'Implementations', pattern: /^\s*impl(?:<[^>]*>)?\s+([^{]+)/ },
  {
    title: 'Functions',
    pattern: /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:const\s+)?(?:async\s+)?(?:unsafe\s+)?fn\s+(\w+)/,
  },
];
const java: readonly Shape[] = [
  { title: 'Package', pattern: /^package\s+([\w.]+)/ },
  { title: 'Imports', pattern: /^import\s+(?:static\s+)?([\w.*]+)/ },
  {
    title: 'Types',
    pattern:
      /^\s*(?:(?:public|protected|private|abstract|final|static|sealed)\s+)*((?:class|interface|enum|record)\s+\w+)/,
  },
  {
    title: 'Methods',
    pattern:
      /^\s+(?:(?:public|protected|private|static|final|abstract|synchronized)\s+)+[\w<>[\], ?]+\s+(\w+)\s*\(/,
  },
];
const markdown: readonly Shape[] = [{ title: 'Headings', pattern: /^#{1,4}\s+(.+?)\s*#*$/ }];

const shapesByEnding: Readonly<Record<string, readonly Shape[]>> = {
  ...Object.fromEntries(['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'].map((ending) => [ending, script])),
  py: python,
  pyi: python,
  go,
  rs: rust,
  java,
  md: markdown,
  mdx: markdown,
};

function jsonKeys(lines: readonly string[]): readonly Section[] {
  const indent = lines.map((line) => /^(\s+)"/.exec(line)?.[1]).find((sections) => sections !== undefined);
  if (indent === undefined) return [];
  const entries = lines.flatMap((line, index) => {
    const name = line.startsWith(`${indent}"`) ? /^\s+"((?:[^"\\]|\\.)*)"\s*:/.exec(line)?.[1] : undefined;
    return name === undefined ? [] : [{ name, line: index + 1 }];
  });
  return entries.length === 0 ? [] : [{ title: 'Keys', entries }];
}
