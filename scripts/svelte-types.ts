// Writes every component of the web app as plain TypeScript into web/.cache, where `tsc -p web` checks it:
//
//     node scripts/svelte-types.ts
//
// The script of a component becomes the body of a function and its markup the statements after it: blocks become
// `if` and `for`, attributes the properties that their element or component takes. Every line keeps its number, so
// a compiler message for `web/.cache/x.svelte.ts` refers to the same line of `web/src/x.svelte`.

import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { parse, type AST } from 'svelte/compiler';

import { scriptOptions } from './script-options.ts';

scriptOptions(
  `node scripts/svelte-types.ts\n\nPuts the components of the web app as TypeScript into web/.cache, for the compiler. Takes no options.`,
  {},
);
const web = path.resolve(import.meta.dirname, '../web');
const out = path.join(web, '.cache');

/** Numbers, although markup has them as text. */
const numeric: ReadonlySet<string> = new Set(['rows', 'tabindex']);

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
writeFileSync(
  path.join(out, 'markup.d.ts'),
  `import type { Component, Snippet } from 'svelte';
import type { SvelteHTMLElements } from 'svelte/elements';
declare global {
  function $$use(...values: unknown[]): void;
  function $$element<Name extends keyof SvelteHTMLElements>(name: Name, attributes: SvelteHTMLElements[Name]): void;
  function $$made<Name extends keyof HTMLElementTagNameMap>(name: Name): HTMLElementTagNameMap[Name];
  function $$attach<Name extends keyof HTMLElementTagNameMap>(
    name: Name,
    attachment: (node: HTMLElementTagNameMap[Name]) => void | (() => void),
  ): void;
  function $$component<Props extends Record<string, any>>(component: Component<Props>, props: Props): void;
  const $$content: Snippet;
  function $$each<Item>(items: Iterable<Item> | ArrayLike<Item>): Iterable<[Item, number]>;
  type $$Component<Props extends Record<string, any>> = Component<Props>;
  type $$Drawn = ReturnType<Snippet>;
}
`,
);
for (const file of globSync('**/*.svelte', { cwd: path.join(web, 'src') })) {
  const target = path.join(out, `${file}.ts`);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, typescriptOf(readFileSync(path.join(web, 'src', file), 'utf8'), file));
}

interface Place {
  readonly start: number;
  readonly end: number;
}

function typescriptOf(source: string, file: string): string {
  const { instance, module, fragment } = parse(source, { modern: true, filename: file });
  let text = '';
  let line = 1;
  const put = (code: string): void => {
    text += code;
    line += code.split('\n').length - 1;
  };
  /** Puts code from the source at its original line. */
  const at = (start: number, code: string): void => {
    const wanted = source.slice(0, start).split('\n').length;
    put(wanted > line ? '\n'.repeat(wanted - line) : ' ');
    put(code);
  };
  const sourceOf = ({ start, end }: Place): string => source.slice(start, end);
  const expression = (node: object): string => `(${sourceOf(node as Place)})`;

  const program = (instance?.content.body ?? []) as unknown as readonly (Place & { readonly type: string })[];
  if (module) at((module.content as unknown as Place).start, sourceOf(module.content as unknown as Place));
  const imports = program.filter(({ type }) => type === 'ImportDeclaration');
  const rest = program.filter(({ type }) => type !== 'ImportDeclaration');
  for (const node of imports) at(node.start, sourceOf(node));
  put(' function $$render() {');
  for (const node of rest) at(node.start, sourceOf(node));
  nodes(fragment);
  put(` return null! as $$Component<${propsOf(rest)}>; }\nexport default $$render();\n`);
  return text;

  function propsOf(statements: readonly Place[]): string {
    for (const statement of statements) {
      const { declarations = [] } = statement as { declarations?: readonly Declaration[] };
      for (const { id, init } of declarations) {
        const isProps = init?.type === 'CallExpression' && init.callee?.name === '$props';
        if (isProps && id.typeAnnotation !== undefined) return sourceOf(id.typeAnnotation.typeAnnotation);
      }
    }
    return 'Record<string, never>';
  }

  function nodes({ nodes: all }: AST.Fragment): void {
    for (const node of all) one(node);
  }

  function block(given: AST.Fragment | null | undefined): void {
    put(' {');
    if (given !== null && given !== undefined) nodes(given);
    put(' }');
  }

  function one(node: AST.Fragment['nodes'][number]): void {
    switch (node.type) {
      case 'Text':
      case 'Comment':
        return;
      case 'ExpressionTag':
      case 'HtmlTag':
        return at(node.start, `$$use${expression(node.expression)};`);
      case 'RenderTag':
        return at(node.start, `$$use${expression(node.expression)};`);
      case 'ConstTag':
        return at(node.start, `${sourceOf(node.declaration as unknown as Place)};`);
      case 'IfBlock':
        at(node.start, `if ${expression(node.test)}`);
        block(node.consequent);
        if (node.alternate !== null) {
          put(' else');
          block(node.alternate);
        }
        return;
      case 'EachBlock': {
        const item = node.context === null ? '$$item' : sourceOf(node.context as unknown as Place);
        at(
          node.start,
          `for (const [${item}, ${node.index ?? '$$index'}] of $$each${expression(node.expression)}) {`,
        );
        put(` $$use(${node.index ?? '$$index'});`);
        if (node.key) put(` $$use${expression(node.key)};`);
        nodes(node.body);
        put(' }');
        if (node.fallback) block(node.fallback);
        return;
      }
      case 'AwaitBlock': {
        at(node.start, '{');
        block(node.pending);
        const value = node.value === null ? '$$value' : sourceOf(node.value as unknown as Place);
        put(` void Promise.resolve${expression(node.expression)}.then((${value}) => { $$use(${value});`);
        if (node.then !== null) nodes(node.then);
        const error = node.error === null ? '$$error' : sourceOf(node.error as unknown as Place);
        put(` }, (${error}: unknown) => { $$use(${error});`);
        if (node.catch !== null) nodes(node.catch);
        return put(' }); }');
      }
      case 'KeyBlock':
        at(node.start, `$$use${expression(node.expression)};`);
        return block(node.fragment);
      case 'SnippetBlock': {
        const parameters = node.parameters.map((parameter) => sourceOf(parameter as unknown as Place)).join(', ');
        at(node.start, `function ${node.expression.name}(${parameters}): $$Drawn {`);
        nodes(node.body);
        return put(' return null!; }');
      }
      case 'Component':
        return component(node);
      case 'RegularElement':
      case 'SvelteWindow':
      case 'SvelteDocument':
      case 'SvelteHead':
      case 'SvelteBody':
        element(node.name, node);
        return nodes(node.fragment);
      default:
        throw new Error(`${file}: ${node.type} is not known to scripts/svelte-types.ts; add it.`);
    }
  }

  function element(name: string, node: AST.BaseElement | AST.RegularElement): void {
    at(node.start, `$$element('${name}', {`);
    for (const attribute of node.attributes) {
      if (attribute.type === 'Attribute') property(attribute);
      else if (attribute.type === 'SpreadAttribute')
        at(attribute.start, `...${expression(attribute.expression)},`);
    }
    put(' });');
    for (const attribute of node.attributes) {
      if (attribute.type === 'ClassDirective') at(attribute.start, `$$use${expression(attribute.expression)};`);
      else if (attribute.type === 'StyleDirective') at(attribute.start, `$$use(${valueOf(attribute.value)});`);
      else if (attribute.type === 'AttachTag')
        at(attribute.start, `$$attach('${name}', ${expression(attribute.expression)});`);
      else if (attribute.type === 'BindDirective') {
        const bound = sourceOf(attribute.expression as unknown as Place);
        at(attribute.start, attribute.name === 'this' ? `${bound} = $$made('${name}');` : `$$use(${bound});`);
      } else if (attribute.type !== 'Attribute' && attribute.type !== 'SpreadAttribute')
        throw new Error(`${file}: ${attribute.type} is not known to scripts/svelte-types.ts; add it.`);
    }
  }

  function component(node: AST.Component): void {
    at(node.start, `$$component(${node.name}, {`);
    for (const attribute of node.attributes) {
      if (attribute.type === 'Attribute') property(attribute);
      else if (attribute.type === 'SpreadAttribute')
        at(attribute.start, `...${expression(attribute.expression)},`);
      else
        throw new Error(
          `${file}: ${attribute.type} of a component is not known to scripts/svelte-types.ts; add it.`,
        );
    }
    const hasContent = node.fragment.nodes.some((child) => child.type !== 'Text' || child.data.trim() !== '');
    put(hasContent ? ' children: $$content });' : ' });');
    // Not inside a function, so that narrowing by the surrounding blocks applies here too.
    if (hasContent) block(node.fragment);
  }

  function property({ start, name, value }: AST.Attribute): void {
    const given = valueOf(value);
    at(start, `${JSON.stringify(name)}: ${numeric.has(name) ? given.replaceAll('"', '') : given},`);
  }

  function valueOf(value: AST.Attribute['value']): string {
    if (value === true) return 'true';
    const parts = Array.isArray(value) ? value : [value];
    const [only] = parts;
    if (parts.length === 1 && only !== undefined)
      return only.type === 'Text' ? JSON.stringify(only.data) : expression(only.expression);
    const texts = parts.map((part) =>
      part.type === 'Text'
        ? part.data.replaceAll(/[`\\$]/g, '\\$&')
        : `\${${sourceOf(part.expression as unknown as Place)}}`,
    );
    return `\`${texts.join('')}\``;
  }
}

interface Declaration {
  readonly id: { readonly typeAnnotation?: { readonly typeAnnotation: Place } };
  readonly init?: { readonly type: string; readonly callee?: { readonly name?: string } };
}
