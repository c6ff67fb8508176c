// `node scripts/compile-intent.ts`: precomputes what every process would otherwise derive from the shipped verbs
// and routing rules. Run it after a change to either; src/intent/shipped-generated.test.ts fails otherwise.

import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { programToData, type ProgramData } from '../src/intent/datalog/program-data.ts';
import { indexPatterns } from '../src/intent/meaning/index-patterns.ts';
import { loadRouting } from '../src/intent/routing/load-routing.ts';
import { shippedConfigs } from '../src/intent/turn/shipped-configs.ts';
import { allVerbs, verbAliases } from '../src/intent/verbs/all-verbs.ts';
import { scriptOptions } from './script-options.ts';

scriptOptions(
  `node scripts/compile-intent.ts\n\nWrites src/intent/**/*.generated.ts after a change to the shipped verbs, configs or routing rules. Takes no options.`,
  {},
);
const note = '// Written by scripts/compile-intent.ts; do not edit.\n';

const index = indexPatterns(allVerbs.values());
write('meaning/shipped-patterns.generated.ts', [
  "import type { PatternIndex } from '../words/pattern-index.ts';\n",
  'export const shippedPatternIndex: PatternIndex = {',
  `  openings: ${object(index.openings)},`,
  `  words: ${list(index.words)},`,
  `  always: ${JSON.stringify(index.always)},`,
  '};',
]);

const { strata, given, derived } = routing();
write('routing/shipped-routing.generated.ts', [
  "import type { ProgramData } from '../datalog/program-data.ts';\n",
  'export const shippedRouting: ProgramData = {',
  `  strata: [${strata.map(list).join(', ')}],`,
  `  given: ${object(given)},`,
  `  derived: ${object(derived)},`,
  '};',
]);

function routing(): ProgramData {
  const loaded = loadRouting({ verbs: { verbs: allVerbs, aliases: verbAliases }, configs: shippedConfigs });
  if (loaded.type === 'loaded') return programToData(loaded.program);
  throw new Error(loaded.problems.map(({ file, line, message }) => `${file}:${line}: ${message}`).join('\n'));
}

/** One entry per line, for readable diffs. */
function list(values: readonly unknown[]): string {
  return values.length === 0
    ? '[]'
    : `[\n${values.map((value) => `    ${JSON.stringify(value)},`).join('\n')}\n  ]`;
}

function object(values: Readonly<Record<string, readonly unknown[]>>): string {
  const entries = Object.entries(values).map(([key, value]) => `  ${JSON.stringify(key)}: ${list(value)},`);
  return `{\n${entries.join('\n')}\n  }`;
}

function write(name: string, lines: readonly string[]): void {
  const file = path.join(import.meta.dirname, '../src/intent', name);
  writeFileSync(file, `${note}${lines.join('\n')}\n`);
}
