/**
 * A copy of the sources that contains every mutant of a run, switched off: `__on('7c…')` checks whether that mutant
 * is on. Nothing is compiled again between mutants, and threads and processes that run the sources with plain Node
 * see the mutant too. The sources themselves don't change.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { Mutant } from './mutants.ts';

/**
 * Switches on the mutant named by `MUTANT`. With `MUTANTS_SEEN`, every mutant stays off and the switch appends
 * to that file which mutants each test runs. A mutant that runs 500,000 times loops: it throws before memory
 * runs out.
 */
export const switchCode = `import { appendFileSync } from 'node:fs';
const active = process.env['MUTANT'];
const file = process.env['MUTANTS_SEEN'];
const seen = new Set();
let met = 0;
function awake() {
  met += 1;
  if (met > 500_000) throw new Error('The mutant loops.');
  return true;
}
export function enterTest(name) {
  if (file) appendFileSync(file, '> ' + name.replaceAll('\\n', ' ') + '\\n');
  seen.clear();
}
export const on = file
  ? (id) => {
      if (!seen.has(id)) appendFileSync(file, id + '\\n');
      seen.add(id);
      return false;
    }
  : (id) => id === active && awake();
`;

export const setupFile = 'mutant-setup.mjs';

const setupCode = `import { beforeEach } from 'vitest';
import { enterTest } from './mutant-switch.mjs';
beforeEach(({ task }) => enterTest(task.fullTestName));
`;

export function writeMutantTree(root: string, tree: string, mutants: readonly Mutant[]): void {
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(tree, { recursive: true });
  for (const part of ['src', 'test', 'web/src', 'bench', 'scripts', 'docs', 'package.json', 'tsconfig.json']) {
    cpSync(path.join(root, part), path.join(tree, part), { recursive: true });
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(tree, 'node_modules'));
  const switchFile = path.join(tree, 'mutant-switch.mjs');
  writeFileSync(switchFile, switchCode);
  writeFileSync(path.join(tree, setupFile), setupCode);
  for (const [file, own] of Map.groupBy(mutants, (mutant) => mutant.file)) {
    const from = path.relative(path.dirname(path.join(tree, file)), switchFile);
    const text = withMutants(readFileSync(path.join(root, file), 'utf8'), own);
    writeFileSync(path.join(tree, file), `import { on as __on } from '${from}';${text}`);
  }
}

/** The source with all its mutants switched off; a mutant inside another's span is kept within the original branch. */
export function withMutants(text: string, mutants: readonly Mutant[]): string {
  // The widest comes first, because it contains the others.
  const ordered = mutants.toSorted((a, b) => a.start - b.start || b.end - a.end);
  return render(text, 0, text.length, ordered);
}

function render(text: string, start: number, end: number, mutants: readonly Mutant[]): string {
  let result = '';
  let at = start;
  let rest = mutants;
  for (let first = rest[0]; first !== undefined; first = rest[0]) {
    const outer = first;
    const inside = rest.slice(1).filter((mutant) => mutant.start >= outer.start && mutant.end <= outer.end);
    rest = rest.slice(1).filter((mutant) => !inside.includes(mutant));
    result += text.slice(at, outer.start) + asleep(outer, render(text, outer.start, outer.end, inside));
    at = outer.end;
  }
  return result + text.slice(at, end);
}

function asleep({ id, place, replacement }: Mutant, sound: string): string {
  switch (place) {
    case 'expression':
      return `(__on('${id}') ? (${replacement}) : (${sound}))`;
    case 'statement':
      return `if (__on('${id}')) { ${replacement} } else { ${sound} }`;
    case 'body-start':
      return `if (__on('${id}')) { ${replacement}; } ${sound}`;
  }
}
