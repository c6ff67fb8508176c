import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { memoryFolder } from './test/fixtures/memory-folder.ts';

// unit: shares one module graph between files, so tests must leave nothing behind.
// stores: the same, for contract suites and tests on real files and servers. Not part of `npm run check`.
// process: real processes, sockets and files; one fork a file.
// simulation: seeded runs, fuzz tests and fault loops; long and CPU-bound.
/** Tests of the sandbox name their own bubblewrap; elsewhere one that is installed must change no result. */
const env = { RONDO_BWRAP: 'none' };

/** Servers that start when a test first asks for them. */
const servers = ['./test/fixtures/postgres/global-setup.ts', './test/fixtures/nats/global-setup.ts'];

/** What is polled for comes, sooner or later; on a busy machine later. */
const patient = { poll: { timeout: 15_000 } };

/** Short files that run long. Vitest starts large files first until it knows durations, and never does in CI. */
const longRuns =
  /\/(?:soak|guides|build-package|sqlite-store|writer-thread|postgres-store|nats-store|restore|leave-folder|ownership|sub-agents)\.test\.ts$/;

/** Tests of a store's engine, which take as long as all other unit tests together. */
const storeTests = [
  'src/journal/{sqlite,postgres,nats}/*-store.test.ts',
  'src/journal/nats/nats-journal.test.ts',
  'src/journal/sqlite/writer-thread.test.ts',
  'src/journal/postgres/{idle-node,append-beside-removal}.test.ts',
  'src/journal/copy/copy-store.test.ts',
];

/** Not for tests of whole agents: to them, what is below /dev is a device. */
const inMemory = { ...env, ...temporaryFiles() };

function temporaryFiles(): { readonly TMPDIR?: string } {
  const folder = memoryFolder();
  return folder === undefined ? {} : { TMPDIR: folder };
}

/** Starts long runs first within their project, so that none is left running alone at the end. */
class LongRunsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own method
    const projects = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    return [...projects.values()].flatMap((specs) =>
      specs.toSorted((a, b) => Number(longRuns.test(b.moduleId)) - Number(longRuns.test(a.moduleId))),
    );
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongRunsFirst },
    passWithNoTests: true,
    // Twice the two cores the suite is timed on: tests of processes wait half of their time.
    maxWorkers: 4,
    projects: [
      {
        test: {
          name: 'unit',
          env: inMemory,
          expect: patient,
          include: [
            'src/**/*.test.ts',
            'web/src/**/*.test.ts',
            'test/architecture/**/*.test.ts',
            'test/golden/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          exclude: ['**/*.fuzz.test.ts', ...storeTests],
          isolate: false,
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'stores',
          globalSetup: servers,
          env: inMemory,
          expect: patient,
          include: storeTests,
          isolate: false,
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'process',
          globalSetup: ['./test/fixtures/build-tested.ts', ...servers],
          env,
          expect: patient,
          include: [
            'test/process/**/*.test.ts',
            'test/proof/**/*.test.ts',
            'test/soak/**/*.test.ts',
            'test/end-to-end/**/*.test.ts',
            'examples/**/*.test.ts',
          ],
          setupFiles: ['test/end-children.ts'],
          pool: 'forks',
          isolate: true,
          // Twenty commands one after another take long beside other work.
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      // browser: the web app in a real browser, against the built bundle (scripts/build-web.ts).
      {
        test: {
          name: 'browser',
          globalSetup: './test/fixtures/build-tested.ts',
          env,
          expect: patient,
          include: ['test/browser/**/*.test.ts'],
          setupFiles: ['test/end-children.ts'],
          pool: 'forks',
          isolate: true,
          testTimeout: 90_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'simulation',
          globalSetup: servers,
          env: inMemory,
          expect: patient,
          include: ['test/simulation/**/*.test.ts', 'src/**/*.fuzz.test.ts'],
          pool: 'forks',
          isolate: false,
          testTimeout: 180_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
