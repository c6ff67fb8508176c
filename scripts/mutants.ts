/**
 * Small faults that a mutation run puts into one source file: a flipped comparison, a dropped statement, an early
 * return. Types, imports and user-facing texts are left alone.
 */
import { createHash } from 'node:crypto';

import { parseSync } from 'oxc-parser';

export interface Mutant {
  /** Depends only on its line's text, so it stays the same if the line moves. */
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** How the fault replaces the span: as a value, instead of a statement, or before the first statement. */
  readonly place: 'expression' | 'statement' | 'body-start';
  readonly replacement: string;
  readonly kind: string;
}

type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<
  Record<string, unknown>
>;

type Fault = Pick<Mutant, 'place' | 'replacement' | 'kind'> & { readonly at: Node };

const flipped: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
};

export function mutantsOf(file: string, text: string): readonly Mutant[] {
  const { program } = parseSync(file, text);
  const lines = text.split('\n');
  const found: Mutant[] = [];
  const alike = new Map<string, number>();
  walk(program as unknown as Node, (node) => {
    for (const { at, ...fault } of faultsAt(node, text)) {
      const line = text.slice(0, at.start).split('\n').length;
      const name = `${file} ${fault.kind} ${(lines[line - 1] ?? '').trim()}`;
      alike.set(name, (alike.get(name) ?? 0) + 1);
      found.push({
        id: mutantId(`${name} ${alike.get(name)}`),
        file,
        line,
        start: at.start,
        end: at.end,
        ...fault,
      });
    }
  });
  return found;
}

export const mutantId = (name: string) => createHash('sha256').update(name).digest('hex').slice(0, 10);

function faultsAt(node: Node, text: string): readonly Fault[] {
  const source = (of: Node) => text.slice(of.start, of.end);
  const value = (at: Node, replacement: string, kind: string): Fault => ({
    at,
    place: 'expression',
    replacement,
    kind,
  });
  switch (node.type) {
    case 'BinaryExpression': {
      const [left, right] = [node['left'] as Node, node['right'] as Node];
      if ([left, right].some(isText)) return [];
      const operators = flipped[node['operator'] as string] ?? [];
      return operators.map((operator) =>
        value(node, `${source(left)} ${operator} ${source(right)}`, `${node['operator'] as string} → ${operator}`),
      );
    }
    case 'LogicalExpression': {
      const [left, right] = [node['left'] as Node, node['right'] as Node];
      const operator = node['operator'] as string;
      if (operator === '??') return [value(node, source(left), '?? dropped')];
      const other = operator === '&&' ? '||' : '&&';
      return [value(node, `(${source(left)}) ${other} (${source(right)})`, `${operator} → ${other}`)];
    }
    case 'UnaryExpression':
      return node['operator'] === '!' ? [value(node, source(node['argument'] as Node), '! dropped')] : [];
    case 'IfStatement':
    case 'ConditionalExpression':
      return [true, false].map((to) => value(node['test'] as Node, String(to), `condition → ${to}`));
    case 'WhileStatement':
      return isLiteral(node['test'] as Node) ? [] : [value(node['test'] as Node, 'false', 'condition → false')];
    case 'Literal':
      return literalFaults(node).map((to) => value(node, to, `${source(node)} → ${to}`));
    case 'ArrayExpression':
      return (node['elements'] as (Node | null)[]).flatMap((element) =>
        element === null
          ? []
          : [value(node, without(node, element, text), `element dropped: ${brief(source(element))}`)],
      );
    case 'ObjectExpression':
      return (node['properties'] as Node[])
        .filter((property) => property.type === 'SpreadElement')
        .map((spread) =>
          value(node, `(${without(node, spread, text)})`, `spread dropped: ${brief(source(spread))}`),
        );
    case 'ExpressionStatement':
      return isEffect(node['expression'] as Node)
        ? [{ at: node, place: 'statement', replacement: ';', kind: `statement dropped: ${brief(source(node))}` }]
        : [];
    case 'ReturnStatement': {
      const result = node['argument'] as Node | null;
      if (result === null || isLiteral(result) || source(result) === 'undefined') return [];
      return [value(result, 'undefined', 'returns undefined')];
    }
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression': {
      const body = node['body'] as Node | null;
      if (body?.type !== 'BlockStatement' && body?.type !== 'FunctionBody') return [];
      if ((body['body'] as Node[] | undefined)?.length === 0) return [];
      const at = { ...body, start: body.start + 1, end: body.start + 1 };
      return [{ at, place: 'body-start', replacement: 'return', kind: 'function returns at once' }];
    }
    default:
      return [];
  }
}

function literalFaults(node: Node): readonly string[] {
  if (typeof node['value'] === 'boolean') return [String(!node['value'])];
  if (typeof node['value'] === 'number')
    return [String(node['value'] + 1), ...(node['value'] > 0 ? [String(node['value'] - 1)] : [])];
  return [];
}

/** A list or object without one element and the comma after it. */
function without(list: Node, element: Node, text: string): string {
  const after = text.slice(element.end, list.end).replace(/^\s*,/, '');
  return text.slice(list.start, element.start) + after;
}

function isEffect(node: Node): boolean {
  if (node.type === 'AwaitExpression') return isEffect(node['argument'] as Node);
  return ['CallExpression', 'AssignmentExpression', 'UpdateExpression', 'ChainExpression'].includes(node.type);
}

function isText(node: Node): boolean {
  return (
    node.type === 'TemplateLiteral' ||
    (node.type === 'Literal' && typeof node['value'] === 'string' && node['value'] !== '')
  );
}

const isLiteral = (node: Node) => node.type === 'Literal';

const brief = (code: string) => code.replaceAll(/\s+/g, ' ').slice(0, 60);

/** Every node that runs; skips types, imports and texts. */
function walk(node: Node, visit: (node: Node) => void): void {
  const passed = ['ImportDeclaration', 'ExportAllDeclaration', 'TemplateLiteral', 'TaggedTemplateExpression'];
  const values = ['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'];
  if (passed.includes(node.type) || (node.type.startsWith('TS') && !values.includes(node.type))) return;
  visit(node);
  if (isSet(node)) return;
  for (const [key, child] of Object.entries(node)) {
    if (key === 'key' && node['computed'] !== true) continue;
    for (const each of Array.isArray(child) ? child : [child]) {
      if (isNode(each)) walk(each, visit);
    }
  }
}

/** A set written as an object: only its keys are read. */
function isSet(node: Node): boolean {
  const values = ((node['properties'] as Node[] | undefined) ?? []).map(({ value }) => value as Node | undefined);
  return values.length > 1 && values.every((value) => value?.['value'] === true);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}
