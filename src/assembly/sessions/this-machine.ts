import os from 'node:os';

/** Names the machine whose folders this process sees. Machines that share their folders may share a name. */
export function thisMachine(): string {
  return process.env['RONDO_MACHINE'] ?? os.hostname();
}
