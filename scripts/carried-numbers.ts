/** Reads from test names which tests carry which capability (C…) and promise (P…). */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface CarryingTest {
  readonly file: string;
  readonly name: string;
  readonly numbers: readonly string[];
}

const folders = ['src', 'test', 'web'];

export function carryingTests(root: string): readonly CarryingTest[] {
  return folders
    .flatMap((folder) => testFiles(root, folder))
    .toSorted()
    .flatMap((file) => testsIn(file, readFileSync(path.join(root, file), 'utf8')));
}

function testFiles(root: string, folder: string): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
  return names
    .filter((name) => /(\.test\.ts|-contract\.ts)$/.test(name) && !name.includes('node_modules'))
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')));
}

const named = /\b(?:describe|test|it)(?:\.\w+(?:\([^()]*\))?)*(?:<[^>]*>)?\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/g;
const eachTable = /\)\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/g;
const number = /\b[CP]\d{1,3}\b/g;

export function testsIn(file: string, source: string): readonly CarryingTest[] {
  const found = [...source.matchAll(named), ...source.matchAll(eachTable)];
  const names = new Set(found.map(([, , name = '']) => name));
  return [...names].flatMap((name) => {
    const numbers = [...new Set(name.match(number) ?? [])];
    return numbers.length === 0 ? [] : [{ file, name, numbers }];
  });
}
