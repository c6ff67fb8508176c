import { fstatSync, readFileSync } from 'node:fs';
import { isatty } from 'node:tty';

/** A name for the terminal that this command was typed in. Undefined if it has none. */
export function ownTerminal(): string | undefined {
  const stream = [0, 1, 2].find((fd) => isatty(fd));
  if (stream === undefined || process.platform === 'win32') return undefined;
  return `${fstatSync(stream).rdev}.${sessionLeader() ?? ''}`;
}

/** The shell of the terminal: a closed terminal's number is given to the next one. */
function sessionLeader(): string | undefined {
  try {
    return readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ')[3];
  } catch {
    return undefined;
  }
}
