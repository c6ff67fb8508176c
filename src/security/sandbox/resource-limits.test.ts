import { execFileSync, spawnSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { SESSION_FILE_LIMIT } from '../../processes/around-session.ts';
import { defaultResourceLimits, limitedBy } from './resource-limits.ts';

const limits = { processes: 64, memoryBytes: 256 * 1024 ** 2, fileBytes: 1024 ** 2 };
const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0;

test('[S19] the limit on files is the one by which a session is known again', () => {
  expect(defaultResourceLimits.fileBytes).toBe(SESSION_FILE_LIMIT);
});

test('safety S20: a scope of systemd holds for all processes, prlimit for each', () => {
  expect(limitedBy('none', ['ls'], limits)).toEqual(['ls']);
  const each = ['/usr/bin/prlimit', '--nproc=256', '--data=268435456', '--fsize=1048576', '--core=0', '--', 'ls'];
  expect(limitedBy('prlimit', ['ls'], limits)).toEqual(each);
  expect(limitedBy('systemd', ['ls'], limits).join(' ')).toBe(
    `/usr/bin/systemd-run --user --scope --quiet --collect -p MemorySwapMax=0 -p TasksMax=64 -p MemoryMax=268435456 -- ${each.join(' ')}`,
  );
});

test.skipIf(!hasPrlimit).each([
  ['memory', `python3 -c 'x = bytearray(600 * 1024 * 1024)' || perl -e '$x = "x" x (600 * 1024 * 1024)'`],
  ['file size', 'head -c 2M /dev/zero > /tmp/rondo-limit-$$; code=$?; rm -f /tmp/rondo-limit-$$; exit $code'],
])('safety S20: %s is limited (needs prlimit)', (_name, command) => {
  const bash = ['bash', '--norc', '-c', command];
  const [program = '', ...args] = limitedBy('prlimit', bash, limits);
  expect(spawnSync('bash', bash.slice(1)).status).toBe(0);
  expect(spawnSync(program, args).status).not.toBe(0);
});

test.skipIf(!hasPrlimit)('safety S20: the default limits leave room for everyday programs (needs prlimit)', () => {
  const [program = '', ...args] = limitedBy('prlimit', [process.execPath, '-p', '1'], defaultResourceLimits);
  expect(execFileSync(program, args, { encoding: 'utf8' })).toBe('1\n');
});
