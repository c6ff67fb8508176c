import type { Reporter, TestModule } from 'vitest/node';

export type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number };

/** Reports the test results to the parent process (scripts/check.ts). */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    // A file that doesn't load and a hook that throws fail without a failing test.
    const brokenFiles = modules.filter((module) => module.errors().length > 0).length;
    const brokenSuites = modules
      .flatMap((module) => [...module.children.allSuites()])
      .filter((suite) => suite.errors().length > 0).length;
    const counts: Counts = {
      passed: states.filter((state) => state === 'passed').length,
      failed:
        states.filter((state) => state === 'failed').length + brokenFiles + brokenSuites + unhandledErrors.length,
      skipped: states.filter((state) => state === 'skipped' || state === 'pending').length,
    };
    process.send?.(counts);
  }
}
