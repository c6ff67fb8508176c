/** `npm run soak -- --minutes N`: the soak of the suite, for longer. `--seed N` repeats a run's choices. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) {
  console.error('npm run soak -- --minutes N [--seed N]');
  process.exit(2);
}
const vitest = path.resolve(import.meta.dirname, '../node_modules/vitest/vitest.mjs');
const tests = ['test/process/server-soak.test.ts', 'test/process/server-kill-soak.test.ts'];
const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'process', ...tests], {
  stdio: 'inherit',
  env: {
    ...process.env,
    SOAK_SECONDS: String(minutes * 30),
    ...(values.seed !== undefined && { SOAK_SEED: values.seed }),
  },
});
process.exit(status ?? 1);
