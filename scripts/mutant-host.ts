/**
 * The process that runs tests against mutants. It keeps one vitest, so it starts and transforms the sources
 * once. The parent (mutant-runs.ts) sends what to run and kills this process when it hangs.
 */
import { createVitest, type TestSpecification } from 'vitest/node';

import { setupFile } from './mutant-tree.ts';

export interface HostRun {
  /** The id of the mutant to switch on; '' for none. */
  readonly mutant: string;
  /** File for the ids of the mutants that each test runs. */
  readonly seen?: string;
  /** Test files in this order, and their tests by full name; without names, all of them. */
  readonly files: readonly { readonly file: string; readonly names?: readonly string[] }[];
}

export interface HostAnswer {
  readonly passed: boolean;
  /** The first test that failed, its file, and how long it took. */
  readonly by: string;
  readonly in: string;
  readonly failedAfter: number;
  /** How long each test took, by full name. */
  readonly ms: Readonly<Record<string, number>>;
}

const [tree = ''] = process.argv.slice(2);

/** Tests run in the requested order: the likeliest to fail first. */
class AsAsked {
  shard(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
  sort(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
}

const vitest = await createVitest(
  {
    root: tree,
    config: false,
    watch: false,
    reporters: [{}],
    bail: 1,
    maxWorkers: 1,
    isolate: false,
    pool: 'forks',
    // A mutant that makes a test wait forever must not cost a minute.
    testTimeout: 8000,
    hookTimeout: 8000,
    teardownTimeout: 1000,
    env: { RONDO_BWRAP: 'none' },
    expect: { poll: { timeout: 5000 } },
    setupFiles: [`${tree}/${setupFile}`],
    include: ['src/**/*.test.ts', 'test/{golden,architecture}/**/*.test.ts'],
    sequence: { sequencer: AsAsked },
    silent: true,
  },
  {},
);
const specifications = new Map((await vitest.globTestSpecifications()).map((each) => [each.moduleId, each]));

process.on('message', (run: HostRun) => {
  void answer(run).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

async function answer({ mutant, seen, files }: HostRun): Promise<HostAnswer> {
  process.env['MUTANT'] = mutant;
  if (seen === undefined) delete process.env['MUTANTS_SEEN'];
  else process.env['MUTANTS_SEEN'] = seen;
  // Results that vitest keeps from the last run would end this one at once (bail).
  vitest.state.clearErrors();
  vitest.state.filesMap.clear();
  vitest.state.pathsSet.clear();
  vitest.state.idMap.clear();
  const asked = files.map(({ file, names }) => {
    const { project, moduleId } = specifications.get(`${tree}/${file}`) ?? missing(file);
    return project.createSpecification(moduleId, names === undefined ? {} : { testNames: [...names] });
  });
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(asked);
  const failed = testModules.find((module) => module.state() === 'failed');
  const test = failed === undefined ? undefined : [...failed.children.allTests('failed')][0];
  const all = testModules.flatMap((module) => [...module.children.allTests()]);
  return {
    passed: failed === undefined && unhandledErrors.length === 0,
    by: test?.fullName ?? failed?.relativeModuleId ?? (unhandledErrors.length > 0 ? 'an unhandled error' : ''),
    in: failed?.relativeModuleId ?? '',
    failedAfter: test?.diagnostic()?.duration ?? 0,
    ms: Object.fromEntries(all.map((each) => [each.fullName, each.diagnostic()?.duration ?? 0])),
  };
}

function missing(file: string): never {
  throw new Error(`Test file not found: ${file}.`);
}
