/**
 * The process in which tests meet mutants: one vitest that stays, so that starting it and transforming the
 * sources is paid once. The parent (mutant-runs.ts) sends what to run and kills this process where it hangs.
 */
import { createVitest, type TestSpecification } from 'vitest/node';

export interface HostRun {
  /** The number of the mutant to wake; -1 wakes none. */
  readonly mutant: number;
  /** Where the numbers of mutants that run are written, for a run that only looks. */
  readonly seen?: string;
  /** Test files, in this order. */
  readonly files: readonly string[];
}

export interface HostAnswer {
  readonly passed: boolean;
  /** The first test that failed. */
  readonly by: string;
}

const [tree = ''] = process.argv.slice(2);

/** Tests run in the order that was asked for: the likeliest to fail first. */
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
    // A mutant that makes a test wait for ever must not cost a minute each.
    testTimeout: 8000,
    hookTimeout: 8000,
    teardownTimeout: 1000,
    env: { RONDO_BWRAP: 'none' },
    expect: { poll: { timeout: 4000 } },
    include: ['src/**/*.test.ts', 'test/golden/**/*.test.ts'],
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
  process.env['MUTANT'] = String(mutant);
  if (seen === undefined) delete process.env['MUTANTS_SEEN'];
  else process.env['MUTANTS_SEEN'] = seen;
  // Every run is a first one: results that vitest remembers would end the next at once (bail) and stand in its place.
  vitest.state.clearErrors();
  vitest.state.filesMap.clear();
  vitest.state.pathsSet.clear();
  vitest.state.idMap.clear();
  const asked = files.flatMap((file) => specifications.get(`${tree}/${file}`) ?? []);
  if (asked.length !== files.length) throw new Error(`Not every test file is there: ${files.join(', ')}.`);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(asked);
  const failed = testModules.find((module) => module.state() === 'failed');
  const test = failed === undefined ? undefined : [...failed.children.allTests('failed')][0];
  return {
    passed: failed === undefined && unhandledErrors.length === 0,
    by: test?.fullName ?? failed?.relativeModuleId ?? (unhandledErrors.length > 0 ? 'an unhandled error' : ''),
  };
}
