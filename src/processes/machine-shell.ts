import { existsSync } from 'node:fs';

interface MachineShell {
  readonly name: 'bash' | 'sh';
  readonly path: string;
  readonly flags: readonly string[];
}

/**
 * The shell that runs command lines on this machine. Commands must be analyzed with this shell's syntax. With -c,
 * bash reads no start-up file, and its environment names none.
 */
export function machineShell(): MachineShell {
  const bash = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/opt/homebrew/bin/bash'].find((file) =>
    existsSync(file),
  );
  return bash === undefined
    ? { name: 'sh', path: '/bin/sh', flags: [] }
    : { name: 'bash', path: bash, flags: ['--noprofile', '--norc'] };
}
