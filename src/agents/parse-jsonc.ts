import type { ValueNode } from '@humanwhocodes/momoa';

import type { ParsedDocument, PlaceOf } from './config-document.ts';
import type { ConfigPath } from './config-path.ts';
import { problemAt, type ConfigProblem, type TextPosition } from './config-problem.ts';

/** Parses JSON with comments and trailing commas. Reports duplicate keys and keys that would reach a prototype. */
export async function parseJsonc(text: string, file: string): Promise<ParsedDocument> {
  const { parse } = await import('@humanwhocodes/momoa');
  let root: ValueNode;
  try {
    const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
    root = parse(source, { mode: 'jsonc', allowTrailingCommas: true }).body;
  } catch (error) {
    return { type: 'invalid', problems: [syntaxProblem(error, file)] };
  }
  const problems: ConfigProblem[] = [];
  const value = evaluate(root, [], (path, place, message) => {
    problems.push(problemAt({ file, ...place }, path, 'syntax', message));
  });
  if (problems.length > 0) return { type: 'invalid', problems };
  return { type: 'parsed', document: { file, value, placeOf: placesIn(root) } };
}

const deepest = 64;

type Report = (path: ConfigPath, place: TextPosition, message: string) => void;

function evaluate(node: ValueNode, path: ConfigPath, report: Report): unknown {
  if (path.length > deepest) {
    report(path.slice(0, 1), startOf(node), `this is nested deeper than ${deepest}.`);
    return null;
  }
  switch (node.type) {
    case 'Object': {
      const value: Record<string, unknown> = {};
      for (const { name, value: child } of node.members) {
        const key = name.type === 'String' ? name.value : name.name;
        const childPath = [...path, key];
        if (key === '__proto__') report(childPath, startOf(name), "this name isn't allowed.");
        else if (Object.hasOwn(value, key)) report(childPath, startOf(name), `duplicate key "${key}".`);
        else value[key] = evaluate(child, childPath, report);
      }
      return value;
    }
    case 'Array':
      return node.elements.map((element, index) => evaluate(element.value, [...path, index], report));
    case 'String':
    case 'Number':
    case 'Boolean':
      return node.value;
    case 'Null':
      return null;
    case 'NaN':
    case 'Infinity':
      report(path, startOf(node), `${node.type} isn't a JSON value.`);
      return null;
  }
}

function placesIn(root: ValueNode): PlaceOf {
  return (path, part = 'value') => {
    let node = root;
    let place = startOf(root);
    for (const [index, key] of path.entries()) {
      const child = childOf(node, key);
      if (child === undefined) return place;
      node = child.value;
      const wanted = index === path.length - 1 && part === 'value' ? child.value : child.key;
      place = startOf(wanted);
    }
    return place;
  };
}

interface Located {
  readonly loc: { readonly start: TextPosition };
}

function childOf(node: ValueNode, key: string | number): { key: Located; value: ValueNode } | undefined {
  if (node.type === 'Object') {
    const member = node.members.find(({ name }) => (name.type === 'String' ? name.value : name.name) === key);
    return member === undefined ? undefined : { key: member.name, value: member.value };
  }
  if (node.type !== 'Array' || typeof key !== 'number') return undefined;
  const element = node.elements[key];
  return element === undefined ? undefined : { key: element, value: element.value };
}

function startOf(node: Located): TextPosition {
  return { line: node.loc.start.line, column: node.loc.start.column };
}

function syntaxProblem(error: unknown, file: string): ConfigProblem {
  const { line, column } = error as { line?: unknown; column?: unknown };
  const message = (error as Error).message.replace(/ \(\d+:\d+\)$/, '');
  const place = {
    line: typeof line === 'number' ? line : 1,
    column: typeof column === 'number' ? column : 1,
  };
  return problemAt({ file, ...place }, [], 'syntax', `invalid JSON: ${message}`);
}
