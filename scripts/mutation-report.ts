/** The result of a mutation run, as a page. */
import type { Mutant } from './mutants.ts';
import { reasonFor } from './mutation-reasons.ts';

export type Tried = Mutant & {
  readonly result:
    | { readonly type: 'killed'; readonly by: string; readonly in: string; readonly source: string }
    /** Its tests never end, which counts as caught. */
    | { readonly type: 'hung'; readonly source: string }
    /** The compiler rejects it; checked only for mutants that no test caught. */
    | { readonly type: 'refused'; readonly source: string }
    /** With the hashes of the test files that ran. */
    | ({ readonly type: 'survived'; readonly tests: readonly string[]; readonly source: string } & Compiled)
    /** No unit test runs its code. */
    | ({ readonly type: 'unreached' } & Compiled);
};

/** The compiler was asked, and accepts it. */
interface Compiled {
  readonly compiles?: true;
}

interface MutationRun {
  readonly seed: number;
  readonly possible: number;
  /** How many of the first entries in `tried` are named mutants. */
  readonly named: number;
  /** Total size of the sample. */
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
  const isWhole = sample.length === run.picked;
  return [
    '# Mutation run',
    '',
    '`npm run mutate` changes one small thing at a time in `kernel`, `session`, `journal` and `runtime`, and runs the',
    'unit tests that reach the change until one fails. A change that no test notices is a survivor.',
    '',
    '- **Changes:** flipped comparisons and conditions, `&&` for `||`, dropped statements, elements, spreads and',
    '  defaults, numbers off by one, functions that return early.',
    '- **Tests:** unit tests only. Process tests, the simulation and the fault loops take no part.',
    '- **Time-outs:** a test that hangs or fails after more than 3 s counts if it passes alone without the change,',
    '  which shows that the machine is fast enough. Otherwise the change runs again, and that result counts.',
    '- **Compiler:** survivors that `tsc` refuses count as noticed, since `npm run check` compiles everything.',
    '- **Goal:** 90 % of at least 1,000 mutants. Tests are written for the survivors of a sample, so a fresh seed',
    '  gives a fairer figure.',
    '',
    `Seed ${run.seed} picked ${run.picked} of ${run.possible} possible mutants. **${sample.length} were tried**${isWhole ? '' : '; the same command tries the rest'}.`,
    `Score: **${percent(sample, noticedBy)}**, and ${percent(sample, killedByTest)} by unit tests alone.`,
    `Control runs without a mutant: ${passed} passed, ${failed} failed.`,
    '',
    `Regenerate with \`npm run mutate -- --seed ${run.seed} --count ${run.picked} --write\`.`,
    '',
    ...scores(sample),
    '',
    ...namedSection(named),
    ...survivorSection(sample, run.source),
  ].join('\n');
}

const killedByTest: readonly Tried['result']['type'][] = ['killed', 'hung'];
const noticedBy: readonly Tried['result']['type'][] = [...killedByTest, 'refused'];

function percent(tried: readonly Tried[], types: readonly Tried['result']['type'][]): string {
  const count = tried.filter(({ result }) => types.includes(result.type)).length;
  return tried.length === 0 ? '–' : `${((count / tried.length) * 100).toFixed(1)} %`;
}

function scores(sample: readonly Tried[]): readonly string[] {
  const byFolder = Map.groupBy(sample, ({ file }) => file.split('/').slice(0, 2).join('/'));
  const rows = [...byFolder].toSorted(([a], [b]) => a.localeCompare(b));
  return [
    '| folder | mutants | test failed | tests never end | refused by `tsc` | survived | not reached | score |',
    '|---|---:|---:|---:|---:|---:|---:|---:|',
    ...rows.map(([folder, tried]) => row(`\`${folder}\``, tried)),
    row('**all**', sample),
  ];
}

function row(name: string, tried: readonly Tried[]): string {
  const counts = (['killed', 'hung', 'refused', 'survived', 'unreached'] as const).map(
    (type) => tried.filter(({ result }) => result.type === type).length,
  );
  return `| ${[name, tried.length, ...counts, percent(tried, noticedBy)].join(' | ')} |`;
}

function namedSection(named: readonly Tried[]): readonly string[] {
  return [
    '## Named mutants',
    '',
    "Faults that tests once missed, and the first release's faults of ownership (`scripts/named-mutants.ts`,",
    '`npm run mutate -- --named`).',
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
      return 'tests that never end';
    case 'refused':
      return 'the compiler';
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
    'Each survivor needs a test or a reason (`scripts/mutation-reasons.ts`). `open` means neither exists yet.',
    '',
    '| where | code | fault | reason |',
    '|---|---|---|---|',
    ...alive
      .toSorted((a, b) => a.file.localeCompare(b.file) || a.line - b.line)
      .map((mutant) => {
        const code = (source(mutant.file).split('\n')[mutant.line - 1] ?? '').trim();
        const unreached = mutant.result.type === 'unreached' ? 'not reached; ' : '';
        const reason = unreached + reasonFor(mutant, code);
        return `| \`${mutant.file}:${mutant.line}\` | \`${inCell(code.slice(0, 90))}\` | ${inCell(mutant.kind)} | ${reason} |`;
      }),
    '',
  ];
}

const inCell = (text: string) => text.replaceAll('|', '\\|').replaceAll('`', "'");
