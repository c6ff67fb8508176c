import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('[C83] [C89] [C94] [C150] an agent starts in a worktree, is relayed over a connection that breaks, and is cleaned up', async () => {
  const program = path.join(import.meta.dirname, 'main.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  expect(stdout).toBe(`lifecycle: created → spawning
lifecycle: spawning → active
agent: First words.
asked: approval
agent: writtenLast words.
the connection was cut and came back
every event once: true
in the worktree: relay/note.txt has "from the relay"
by role: active, messages: 2
writers: 1
active can't be cleaned: a session is terminated before it is cleaned
lifecycle: active → terminating
lifecycle: terminating → cleaned
the worktree is free
cleaned: 1, active: 0
`);
});
