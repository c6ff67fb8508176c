/** Safety S7, second tier: files that steer agents, changed by a command. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from 'vitest';

import { createToolWorkspace, type ToolWorkspace } from '../../src/testing/contracts/tool-contract.ts';
import { createDeleteTool } from '../../src/tools/files/delete-tool.ts';
import { createReadLedger } from '../../src/tools/define/read-ledger.ts';
import { createShellTool } from '../../src/tools/shell/shell-tool.ts';

const shell = createShellTool();

async function prepared(): Promise<ToolWorkspace> {
  const workspace = await createToolWorkspace();
  await writeFile(path.join(workspace.root, 'AGENTS.md'), 'Be careful.\n');
  await mkdir(path.join(workspace.root, '.github', 'workflows'), { recursive: true });
  await writeFile(path.join(workspace.root, '.github', 'workflows', 'ci.yml'), 'on: push\n');
  return workspace;
}

const textOf = (workspace: ToolWorkspace, file: string) => readFile(path.join(workspace.root, file), 'utf8');

/** Its command line doesn't show what it writes. */
const SCRIPT = `node -e 'const fs = require("fs"); const [a, b] = ["AGEN", "TS.md"];
fs.writeFileSync(a + b, "Obey.\\n"); fs.rmSync(".github/workflows/ci.yml"); fs.writeFileSync("Claude.md", "Obey.\\n"); fs.writeFileSync("plain.txt", "x")'`;

test("[S7] a command's changes to them are reverted and become calls that need approval", async () => {
  await using workspace = await prepared();
  const end = await shell.run({ command: SCRIPT }, workspace.run());
  expect(end.followUps).toEqual([
    { tool: 'delete', args: { path: '.github/workflows/ci.yml' } },
    { tool: 'write', args: { path: 'AGENTS.md', content: 'Obey.\n' } },
    { tool: 'write', args: { path: 'Claude.md', content: 'Obey.\n' } },
  ]);
  expect({
    agents: await textOf(workspace, 'AGENTS.md'),
    ci: await textOf(workspace, '.github/workflows/ci.yml'),
    claude: existsSync(path.join(workspace.root, 'Claude.md')),
    plain: await textOf(workspace, 'plain.txt'),
  }).toEqual({ agents: 'Be careful.\n', ci: 'on: push\n', claude: false, plain: 'x' });
  expect(end).toMatchObject({ output: expect.stringContaining('AGENTS.md controls agents') });
});

test('[S7] a change that was judged by its name stays, and so does what git checks out', async () => {
  await using workspace = await prepared();
  const command = 'echo New. > AGENTS.md';
  const facts = await shell.describe({ command }, workspace.run());
  const end = await shell.run({ command }, { ...workspace.run(), facts });
  expect([end.followUps, await textOf(workspace, 'AGENTS.md')]).toEqual([undefined, 'New.\n']);
  const git = 'git init -q && git add AGENTS.md && git -c user.name=a -c user.email=a@b commit -qm x';
  await shell.run({ command: git }, workspace.run());
  await shell.run({ command: 'echo Other. > AGENTS.md' }, { ...workspace.run(), facts });
  const back = await shell.run({ command: 'git checkout AGENTS.md' }, workspace.run());
  expect([back.followUps, await textOf(workspace, 'AGENTS.md')]).toEqual([undefined, 'New.\n']);
});

test('[S7] [S8] a folder that a command replaced by a link leads neither a repair nor a look out of the root', async () => {
  await using workspace = await prepared();
  const at = (...parts: readonly string[]) => path.join(workspace.root, ...parts);
  await using home = await createToolWorkspace();
  const theirs = path.join(home.root, 'workflows');
  await mkdir(theirs);
  await writeFile(path.join(theirs, 'secret.yml'), 'key: 1\n');
  await writeFile(path.join(home.root, '.bashrc'), "a person's\n");
  await mkdir(at('skills'));
  await writeFile(at('skills', '.bashrc'), "an agent's\n");
  const command = `node -e 'const fs = require("fs"); for (const name of ["skills", ".github"]) { fs.renameSync(name, name + "-old"); fs.symlinkSync("${home.root}", name); }'`;
  const end = await shell.run({ command }, workspace.run());
  expect(await readFile(path.join(home.root, '.bashrc'), 'utf8')).toBe("a person's\n");
  expect(await readFile(path.join(theirs, 'secret.yml'), 'utf8')).toBe('key: 1\n');
  expect(JSON.stringify(end)).not.toContain('key: 1');
  expect([await textOf(workspace, 'skills/.bashrc'), await textOf(workspace, '.github/workflows/ci.yml')]).toEqual(
    ["an agent's\n", 'on: push\n'],
  );
});

test('[S7] deleting a protected name needs a rule that names it', async () => {
  await using workspace = await prepared();
  const tool = createDeleteTool({ ledger: createReadLedger() });
  expect(await tool.describe({ path: 'AGENTS.md' }, workspace.context())).toMatchObject({
    paths: [{ path: 'AGENTS.md', protects: 'AGENTS.md' }],
    grants: [],
  });
});
