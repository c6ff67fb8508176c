/**
 * Reports the exports of one entry point: every name with its declaration and its comment, sorted, so that a change
 * of the public API changes a tracked file and shows up in review.
 *
 * Types that a signature uses but no program can name are listed at the end.
 */
import { parseSync, Visitor } from 'oxc-parser';

import { declarationOf, entryPoints, fileNamed, type EntryPoint } from './public-declarations.ts';

type Texts = ReadonlyMap<string, string>;

/** A declaration, verbatim from its file. */
interface Declared {
  readonly name: string;
  readonly file: string;
  readonly comment: string;
  readonly code: string;
  readonly start: number;
  readonly end: number;
}

interface Module {
  readonly declared: ReadonlyMap<string, Declared>;
  /** Files in which imported names are declared. */
  readonly imported: ReadonlyMap<string, { readonly file: string; readonly name: string }>;
  readonly exported: ReadonlyMap<string, { readonly file: string; readonly name: string }>;
  /** `export * as name from file`. */
  readonly namespaces: ReadonlyMap<string, string>;
}

interface Exported {
  /** As a program writes it: `inputs.chat`. */
  readonly name: string;
  readonly declared: Declared;
}

export function apiReport(entry: EntryPoint, texts: Texts): string {
  const { exported, unnamed } = publicApi(entry, texts);
  const sections = exported.map(({ name, declared }) => {
    const code = `${declared.comment}${declared.comment === '' ? '' : '\n'}${declared.code}`;
    return `## ${name}\n\n\`\`\`ts\n${code}\n\`\`\``;
  });
  const rest =
    unnamed.length === 0
      ? []
      : [
          `## Named above, not exported\n\n${unnamed.map(({ name, file }) => `- \`${name}\` (${file})`).join('\n')}`,
        ];
  return `${[
    `# API of \`${entry}\``,
    'Written by `node scripts/api.ts` from what the compiler declares; a test compares it. A change here is a change for every program that uses Rondo: it belongs into CHANGELOG.md.',
    ...sections,
    ...rest,
  ].join('\n\n')}\n`;
}

export function publicApi(
  entry: EntryPoint,
  texts: Texts,
): { readonly exported: readonly Exported[]; readonly unnamed: readonly { name: string; file: string }[] } {
  const modules = new Map<string, Module>();
  const moduleAt = (file: string): Module => {
    const known = modules.get(file) ?? readModule(file, texts.get(file) ?? '');
    modules.set(file, known);
    return known;
  };
  const find = (file: string, name: string): Declared | undefined => {
    const { declared, exported, imported } = moduleAt(file);
    const here = declared.get(name);
    if (here !== undefined) return here;
    const elsewhere = exported.get(name) ?? imported.get(name);
    return elsewhere === undefined || !texts.has(elsewhere.file)
      ? undefined
      : find(elsewhere.file, elsewhere.name);
  };
  const exportsOf = (file: string, prefix: string): readonly Exported[] => {
    const { exported, namespaces } = moduleAt(file);
    return [
      ...[...exported].map(([name, from]) => {
        const declared = find(from.file, from.name);
        if (declared === undefined)
          throw new Error(`${file} exports ${name}, which ${from.file} does not declare.`);
        return { name: prefix + name, declared };
      }),
      ...[...namespaces].flatMap(([name, from]) => exportsOf(from, `${prefix}${name}.`)),
    ];
  };
  const exported = exportsOf(declarationOf(entryPoints[entry]), '').toSorted((a, b) =>
    a.name.localeCompare(b.name, 'en'),
  );
  // Every program can name the exports of the main entry point.
  const front = exportsOf(declarationOf(entryPoints.rondo), '');
  const known = new Set([...exported, ...front].map(({ declared }) => `${declared.file} ${declared.name}`));
  const unnamed = new Map<string, { name: string; file: string }>();
  for (const { declared } of exported) {
    for (const name of namesIn(declared, texts.get(declared.file) ?? '')) {
      const meant = find(declared.file, name);
      const key = `${name} ${meant?.file}`;
      if (meant !== undefined && !known.has(`${meant.file} ${meant.name}`)) {
        unnamed.set(key, { name: meant.name, file: meant.file.replace(/\.d\.ts$/, '.ts') });
      }
    }
  }
  return {
    exported,
    unnamed: [...unnamed.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en')),
  };
}

function readModule(file: string, text: string): Module {
  const declared = new Map<string, Declared>();
  const imported = new Map<string, { file: string; name: string }>();
  const exported = new Map<string, { file: string; name: string }>();
  const namespaces = new Map<string, string>();
  const { program, comments } = parseSync(file, text);
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') {
      for (const specifier of statement.specifiers) {
        if (specifier.type !== 'ImportSpecifier' || !statement.source.value.startsWith('.')) continue;
        const name = nameOf(specifier.imported);
        imported.set(specifier.local.name, { file: fileNamed(statement.source.value, file), name });
      }
    } else if (statement.type === 'ExportAllDeclaration' && statement.exported !== null) {
      namespaces.set(nameOf(statement.exported), fileNamed(statement.source.value, file));
    } else if (statement.type === 'ExportNamedDeclaration' && statement.declaration === null) {
      for (const { local, exported: shown } of statement.specifiers) {
        const from = statement.source === null ? file : fileNamed(statement.source.value, file);
        exported.set(nameOf(shown), { file: from, name: nameOf(local) });
      }
    } else {
      const { start, end } = statement;
      const before = comments.findLast((comment) => comment.end <= start);
      const isDoc =
        before?.type === 'Block' && before.value.startsWith('*') && text.slice(before.end, start).trim() === '';
      const comment = isDoc && before !== undefined ? text.slice(before.start, before.end) : '';
      const code = text.slice(start, end);
      for (const name of declaredNames(code)) {
        const earlier = declared.get(name);
        // Groups overloads with a type of the same name.
        const whole =
          earlier === undefined ? code : `${earlier.code}\n${comment === '' ? '' : `${comment}\n`}${code}`;
        declared.set(name, {
          name,
          file,
          comment: earlier?.comment ?? comment,
          code: whole,
          start: earlier?.start ?? start,
          end,
        });
        if (statement.type === 'ExportNamedDeclaration') exported.set(name, { file, name });
      }
    }
  }
  return { declared, imported, exported, namespaces };
}

function declaredNames(code: string): readonly string[] {
  const found =
    /^(?:export )?(?:declare )?(?:abstract )?(?:const|let|function|class|interface|type) ([\w$]+)/.exec(code);
  return found?.[1] === undefined ? [] : [found[1]];
}

function nameOf(node: { readonly type: string; readonly name?: string; readonly value?: unknown }): string {
  return node.name ?? String(node.value);
}

/** The types that a declaration names, except its own parameters. */
function namesIn({ file, start, end }: Declared, text: string): readonly string[] {
  const names = new Set<string>();
  const parameters = new Set<string>();
  const take = (node: { readonly type: string; readonly start: number }) => {
    if (node.type === 'Identifier' && node.start >= start && node.start < end) names.add(nameOf(node));
  };
  const visitor = new Visitor({
    TSTypeReference: ({ typeName }) => take(typeName),
    TSTypeQuery: ({ exprName }) => take(exprName),
    TSInterfaceHeritage: ({ expression }) => take(expression),
    TSTypeParameter: ({ name }) => void parameters.add(name.name),
  });
  visitor.visit(parseSync(file, text).program);
  return [...names].filter((name) => !parameters.has(name));
}
