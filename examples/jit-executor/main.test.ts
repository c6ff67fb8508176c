import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('[C72] [C75] [C99] [C150] sentences become configured turns, and each kind of sub-agent remembers as it should', async () => {
  const program = path.join(import.meta.dirname, 'main.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  expect(stdout).toBe(`> explain teapot.ts
  explain (query) by the general, inline
  **teapot.ts** — 1 line, 0 empty
> find all *.md files
  search (query) by the researcher, inline
  **1 file** matches \`**/*.md\`:
> read README.md, don't change anything
  read (query) by the general, inline
  \`README.md\`, 3 lines
  denied: write, edit, delete, git_commit, shell
ephemeral: starts afresh
persistent: remembers the task before
system: remembers the task before
brew by the coder, read and list
`);
});
