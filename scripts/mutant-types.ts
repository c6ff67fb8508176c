/** Finds mutants that the compiler rejects: `npm run check` compiles everything, so nobody can commit one of these. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { Mutant } from './mutants.ts';

/** One mutant per file at a time, so that each error has one cause. */
export function refusedByCompiler(root: string, tree: string, mutants: readonly Mutant[]): ReadonlySet<string> {
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(tree, { recursive: true });
  cpSync(path.join(root, 'src'), path.join(tree, 'src'), { recursive: true });
  cpSync(path.join(root, 'package.json'), path.join(tree, 'package.json'));
  symlinkSync(path.join(root, 'node_modules'), path.join(tree, 'node_modules'));
  const config = { extends: path.join(root, 'tsconfig.json'), include: ['src'], exclude: ['src/**/*.test.ts'] };
  writeFileSync(path.join(tree, 'tsconfig.json'), JSON.stringify(config));
  const refused = new Set<string>();
  const left = Map.groupBy(mutants, ({ file }) => file);
  while (left.size > 0) {
    const round = [...left.values()].flatMap((own) => own.pop() ?? []);
    for (const mutant of round) writeFileSync(path.join(tree, mutant.file), mutated(root, mutant));
    const wrong = filesWithErrors(tree);
    for (const { id, file } of round) {
      if (wrong.has(file)) refused.add(id);
      cpSync(path.join(root, file), path.join(tree, file));
    }
    for (const [file, own] of left) if (own.length === 0) left.delete(file);
  }
  return refused;
}

function mutated(root: string, { file, start, end, place, replacement }: Mutant): string {
  const text = readFileSync(path.join(root, file), 'utf8');
  const code =
    place === 'expression' ? `(${replacement})` : place === 'statement' ? replacement : `${replacement};`;
  return text.slice(0, start) + code + text.slice(end);
}

function filesWithErrors(tree: string): ReadonlySet<string> {
  const compiler = path.join(tree, 'node_modules/.bin/tsc');
  // Unused names and unreachable code don't count as errors here.
  const lenient = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false', '--allowUnreachableCode', 'true'];
  try {
    execFileSync(compiler, ['-p', tree, '--noEmit', '--pretty', 'false', ...lenient], {
      cwd: tree,
      encoding: 'utf8',
    });
    return new Set();
  } catch (error) {
    const { stdout } = error as { readonly stdout: string };
    return new Set([...stdout.matchAll(/^(src\/[^(]+)\(\d+,\d+\): error/gm)].map(([, file = '']) => file));
  }
}
