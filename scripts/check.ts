// `npm run check` (quick) and `npm test`, `npm run check:all` (everything): runs the static checks in parallel,
// then the tests; the quick check runs the tests beside them. The compiler keeps what it knows of unchanged files in
// `.cache/types`. The last line is `N passed, N failed[, N skipped]`; each static check counts as one. Arguments after
// `--` go to vitest.

import { spawn } from 'node:child_process';
import path from 'node:path';

import type { Counts } from './count-reporter.ts';

type Check = { readonly name: string; readonly command: readonly string[] };

const ROOT = path.resolve(import.meta.dirname, '..');

const STATIC_CHECKS: readonly Check[] = [
  { name: 'format', command: ['oxfmt/bin/oxfmt', '--check'] },
  { name: 'lint', command: ['oxlint/bin/oxlint', '--quiet'] },
  types('types', '.'),
  types('types of the kernel', 'src/kernel'),
  types('types of the web app', 'web'),
  types('types of the browser tests', 'test/browser'),
  types('types of its service worker', 'web/src/service-worker'),
];
/** Runs first: the compiler checks its output instead of the components. */
const COMPONENTS: Check = {
  name: 'components as the compiler sees them',
  command: ['../scripts/svelte-types.ts'],
};
const DEAD_CODE: Check = { name: 'dead code', command: ['knip/bin/knip.js', '--no-progress'] };

const usage = `node scripts/check.ts quick|all [vitest options]

quick  format, lint, types and unit tests without those of the store engines (npm run check)
all    the same with dead code and every test (npm test)`;
const [scope = '', ...vitestOptions] = process.argv.slice(2);
if (scope === '--help' || scope === '-h') {
  console.log(usage);
  process.exit(0);
}
if (scope !== 'quick' && scope !== 'all') {
  console.error(`Unknown check "${scope}".\n\n${usage}`);
  process.exit(2);
}

const sideBySide = scope === 'all' ? [...STATIC_CHECKS, DEAD_CODE] : STATIC_CHECKS;
const checks = [COMPONENTS, ...sideBySide];
const components = await runCheck(COMPONENTS);
const quickTests = scope === 'quick' ? runTests(['--project', 'unit', ...vitestOptions]) : undefined;
const outcomes = [components, ...(await Promise.all(sideBySide.map(runCheck)))];
const failedChecks = outcomes.filter((passed) => !passed).length;
const tests = await (quickTests ?? runTests(vitestOptions));

const failed = failedChecks + tests.failed;
const skipped = tests.skipped === 0 ? '' : `, ${tests.skipped} skipped`;
console.log(`${checks.length - failedChecks + tests.passed} passed, ${failed} failed${skipped}`);
process.exitCode = failed === 0 ? 0 : 1;

function types(name: string, project: string): Check {
  const state = `.cache/types/${name.replaceAll(' ', '-')}.tsbuildinfo`;
  return {
    name,
    command: ['typescript/bin/tsc', '-p', project, '--incremental', '--tsBuildInfoFile', state],
  };
}

async function runCheck({ name, command }: Check): Promise<boolean> {
  const started = performance.now();
  const { code, output } = await run(command);
  const time = `${Math.round(performance.now() - started)} ms`;
  console.log(code === 0 ? `✓ ${name} (${time})` : `✗ ${name} (${time})\n\n${output.trim()}\n`);
  return code === 0;
}

async function run([script = '', ...options]: readonly string[]): Promise<{
  code: number | null;
  output: string;
}> {
  const child = spawn(process.execPath, [path.join(ROOT, 'node_modules', script), ...options], {
    cwd: ROOT,
    // The compiler and the linter are Go programs that spend a third of their time collecting garbage.
    env: { ...process.env, GOGC: '400' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, output };
}

async function runTests(options: readonly string[]): Promise<Counts> {
  const reporters = ['--reporter=default', '--reporter=./scripts/count-reporter.ts'];
  const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...options], {
    cwd: ROOT,
    // Every writer thread of a store loads its sources again: without compiled code that is half of its start.
    env: { NODE_COMPILE_CACHE: path.join(ROOT, '.cache/compile'), ...process.env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  child.on('message', (message) => (counts = message as Counts));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  // An aborted run fails even if no test failed.
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}
