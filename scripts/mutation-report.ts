/** What a mutation run found, as a page. */
import type { Mutant } from './mutants.ts';
import { reasonFor } from './mutation-reasons.ts';

export type Tried = Mutant & {
  readonly result:
    | { readonly type: 'killed'; readonly by: string; readonly in: string; readonly source: string }
    /** Its tests never end, and that is noticed too. */
    | { readonly type: 'hung'; readonly source: string }
    /** With the hashes of the test files that ran. */
    | { readonly type: 'survived'; readonly tests: readonly string[]; readonly source: string }
    /** No unit test runs its code. */
    | { readonly type: 'unreached' };
};

export interface MutationRun {
  readonly seed: number;
  readonly possible: number;
  /** How many of the first in `tried` are the named ones. */
  readonly named: number;
  /** How many the sample has in all. */
  readonly picked: number;
  readonly tried: readonly Tried[];
  readonly controls: { readonly passed: number; readonly failed: number };
  readonly minutes: number;
  readonly source: (file: string) => string;
}

export function mutationReport(run: MutationRun): string {
  const named = run.tried.slice(0, run.named);
  const sample = run.tried.slice(run.named);
  const { passed, failed } = run.controls;
  return [
    '# Mutation run',
    '',
    'Small faults are put into the sources one at a time; a good suite notices each. `npm run mutate` makes the faults',
    '(flipped comparisons and conditions, `&&` for `||`, statements, elements and defaults left out, numbers off by one,',
    'functions that return early), and runs the unit tests that reach each fault until one fails. Tests of processes,',
    'the simulation and the fault loops do not take part. The goal is 90 % of at least 1,000 mutants. Written by',
    `\`npm run mutate -- --seed ${run.seed} --count ${run.picked} --write\`.`,
    '',
    `Of ${run.possible} possible mutants, seed ${run.seed} picks ${run.picked}; ${sample.length} of them were tried, in`,
    `${run.minutes} minutes on one core.${sample.length < run.picked ? ' The rest is still to do: the same command goes on.' : ''}`,
    `${passed + failed} times the same tests ran without a mutant: ${passed} passed, ${failed} failed.`,
    '',
    ...scores(sample),
    '',
    ...namedSection(named),
    ...survivorSection(sample, run.source),
  ].join('\n');
}

function scores(sample: readonly Tried[]): readonly string[] {
  const byFolder = Map.groupBy(sample, ({ file }) => file.split('/').slice(0, 2).join('/'));
  const rows = [...byFolder].toSorted(([a], [b]) => a.localeCompare(b));
  return [
    '| folder | mutants | killed | ran without end | survived | reached by no unit test | score |',
    '|---|---:|---:|---:|---:|---:|---:|',
    ...rows.map(([folder, tried]) => row(`\`${folder}\``, tried)),
    row('**all**', sample),
  ];
}

function row(name: string, tried: readonly Tried[]): string {
  const of = (type: Tried['result']['type']) => tried.filter(({ result }) => result.type === type).length;
  const score = tried.length === 0 ? '–' : `${(((of('killed') + of('hung')) / tried.length) * 100).toFixed(1)} %`;
  return `| ${[name, tried.length, of('killed'), of('hung'), of('survived'), of('unreached'), score].join(' | ')} |`;
}

function namedSection(named: readonly Tried[]): readonly string[] {
  return [
    '## Named mutants',
    '',
    'Faults that the tests of the first release let pass (`scripts/named-mutants.ts`, `npm run mutate -- --named`).',
    '',
    '| fault | where | noticed by |',
    '|---|---|---|',
    ...named.map(({ kind, file, line, result }) => `| ${kind} | \`${file}:${line}\` | ${noticed(result)} |`),
    '',
  ];
}

function noticed(result: Tried['result']): string {
  switch (result.type) {
    case 'killed':
      return inCell(result.by);
    case 'hung':
      return 'tests that did not end';
    case 'survived':
    case 'unreached':
      return '**nothing**';
  }
}

function survivorSection(sample: readonly Tried[], source: MutationRun['source']): readonly string[] {
  const alive = sample.filter(({ result }) => result.type === 'survived' || result.type === 'unreached');
  return [
    '## Survivors',
    '',
    'A survivor is open work until it has a test or a reason (`scripts/mutation-reasons.ts`).',
    '',
    '| where | code | fault | reason |',
    '|---|---|---|---|',
    ...alive
      .toSorted((a, b) => a.file.localeCompare(b.file) || a.line - b.line)
      .map((mutant) => {
        const code = (source(mutant.file).split('\n')[mutant.line - 1] ?? '').trim();
        const unreached = mutant.result.type === 'unreached' ? 'reached by no unit test; ' : '';
        const reason = unreached + reasonFor(mutant, code);
        return `| \`${mutant.file}:${mutant.line}\` | \`${inCell(code.slice(0, 90))}\` | ${inCell(mutant.kind)} | ${reason} |`;
      }),
    '',
  ];
}

const inCell = (text: string) => text.replaceAll('|', '\\|').replaceAll('`', "'");
