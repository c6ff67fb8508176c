/** The result of a test run, parsed from its output. */
interface TestSummary {
  /** The framework's summary lines. */
  readonly totals: readonly string[];
  /** Names and messages of failed tests, as the framework printed them. */
  readonly failures: readonly string[];
}

const MOST_FAILURES = 60;

export function summarizeTests(output: string): TestSummary {
  const lines = output
    // oxlint-disable-next-line no-control-regex -- colors
    .replaceAll(/\u{1b}\[[\d;]*[A-Za-z]/gu, '')
    .split(/\r?\n/)
    .map((line) => line.trimEnd());
  const totals = lines.filter((line) => TOTALS.some((pattern) => pattern.test(line)));
  const failures = lines.filter(
    (line) => FAILURES.some((pattern) => pattern.test(line)) && !totals.includes(line),
  );
  return { totals: [...new Set(totals)].slice(-10), failures: [...new Set(failures)].slice(0, MOST_FAILURES) };
}

const TOTALS: readonly RegExp[] = [
  /^\s*(?:Tests|Test Files|Test Suites|Snapshots):?\s+\d+/,
  /^=+ .*\b(?:passed|failed|error|errors)\b.* =+$/,
  /^\d+ (?:passed|failed)\b/,
  /^test result: /,
  /^(?:ok|FAIL|---)\s+\S+\s+[\d.]+s$/,
  /^(?:\[\w+\]\s*)?Tests run: \d+/,
  /^Ran \d+ tests? in /,
  /^(?:OK|FAILED)(?: \(.*\))?$/,
  /^# (?:tests|pass|fail|cancelled|skipped) \d+$/,
  /^ℹ (?:tests|pass|fail|cancelled|skipped) \d+$/,
  /^\s*\d+ (?:passing|failing|pending)\b/,
  /^\d+ tests completed, \d+ failed/,
];

const FAILURES: readonly RegExp[] = [
  /^\s*(?:FAIL|FAILED|ERROR)\b/,
  /^\s*(?:✗|✖|×|✕|❌)\s/,
  /^\s*not ok \d+/,
  /^\s*--- FAIL: /,
  /^test .* \.\.\. FAILED$/,
  /^thread '.*' .*panicked at /,
  /^(?:E\s{2,}|\s*AssertionError|\s*Assertion failed)/,
  /^\s*(?:FAIL|ERROR): /,
  /^\s*\w*(?:Error|Exception): /,
  /^\s+\d+\) /,
];
