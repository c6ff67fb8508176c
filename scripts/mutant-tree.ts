/**
 * A copy of the sources in which every mutant of a run is present and asleep: `__on(7)` wakes number 7.
 * One copy serves all of them, so nothing is compiled again from mutant to mutant, and threads and
 * processes that run the sources with plain Node meet the mutant too. The sources themselves are not touched.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { Mutant } from './mutants.ts';

/** A mutant with the number that wakes it. */
export type Numbered = Mutant & { readonly number: number };

/**
 * Wakes the mutant of `MUTANT`; with `MUTANTS_SEEN` none, and the numbers of all that run are added to that
 * file. A mutant that is met without end is a loop, and throws before it has eaten the memory.
 */
const switchCode = `import { appendFileSync } from 'node:fs';
const active = Number(process.env['MUTANT'] ?? -1);
const file = process.env['MUTANTS_SEEN'];
const seen = new Set();
let met = 0;
function awake() {
  met += 1;
  if (met > 500_000) throw new Error('The mutant loops.');
  return true;
}
export const on = file
  ? (number) => {
      if (!seen.has(number)) appendFileSync(file, number + '\\n');
      seen.add(number);
      return false;
    }
  : (number) => number === active && awake();
`;

export function writeMutantTree(root: string, tree: string, mutants: readonly Numbered[]): void {
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(tree, { recursive: true });
  for (const part of ['src', 'test', 'web/src', 'bench', 'scripts', 'docs', 'package.json', 'tsconfig.json']) {
    cpSync(path.join(root, part), path.join(tree, part), { recursive: true });
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(tree, 'node_modules'));
  const switchFile = path.join(tree, 'mutant-switch.mjs');
  writeFileSync(switchFile, switchCode);
  for (const [file, own] of Map.groupBy(mutants, (mutant) => mutant.file)) {
    const from = path.relative(path.dirname(path.join(tree, file)), switchFile);
    const text = withMutants(readFileSync(path.join(root, file), 'utf8'), own);
    writeFileSync(path.join(tree, file), `import { on as __on } from '${from}';${text}`);
  }
}

/** The source with all of its mutants asleep in it; one inside another's span is kept within the sound branch. */
export function withMutants(text: string, mutants: readonly Numbered[]): string {
  // The widest comes first: it holds those inside it.
  const ordered = mutants.toSorted((a, b) => a.start - b.start || b.end - a.end || a.number - b.number);
  return render(text, 0, text.length, ordered);
}

function render(text: string, start: number, end: number, mutants: readonly Numbered[]): string {
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

function asleep({ number, place, replacement }: Numbered, sound: string): string {
  switch (place) {
    case 'expression':
      return `(__on(${number}) ? (${replacement}) : (${sound}))`;
    case 'statement':
      return `if (__on(${number})) { ${replacement} } else { ${sound} }`;
    case 'body-start':
      return `if (__on(${number})) { ${replacement}; } ${sound}`;
  }
}
