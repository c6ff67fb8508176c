import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { createRedactor } from './redact.ts';
import { collectSecrets } from './secrets.ts';
import { workspaceSecrets } from './workspace-secrets.ts';

test('[S21] values of .env files and of git’s headers are hidden; those of examples are not', async () => {
  const header = Buffer.from('x-access-token:ghs_0a1b2c3d4e5f').toString('base64');
  await using place = await temporaryFolder({
    '.env': 'PLAIN_NAME=hunter2-and-more # ours\nexport OTHER="q8w7e6r5 t4"\n# NOTHING=here\nSHORT=abc\n',
    '.env.local': "LOCAL='zz-local-value-1'\n",
    '.env.example': 'EXAMPLE=put-your-key-here\n',
    '.git/config': `[http "https://git.test/"]\n\textraheader = AUTHORIZATION: basic ${header}\n[remote "o"]\n\turl = https://me:pw-in-the-url@git.test/x\n`,
  });
  const hide = createRedactor(collectSecrets({}, await workspaceSecrets(place.folder)), 'known');
  const text = hide(
    `hunter2-and-more q8w7e6r5 t4 zz-local-value-1 put-your-key-here abc ${header} ghs_0a1b2c3d4e5f pw-in-the-url basic`,
  );
  expect(text).toBe(
    '[redacted] [redacted] [redacted] put-your-key-here abc [redacted] [redacted] [redacted] basic',
  );
});

test('[S21] a workspace without such files has none', async () => {
  await using place = await temporaryFolder({ 'a.txt': 'a' });
  expect(await workspaceSecrets(place.folder)).toEqual([]);
});

test('[S21] the packages of a monorepo count too, and for a linked worktree its repository', async () => {
  await using place = await temporaryFolder({
    'repository/.git/config': '[remote "o"]\n\turl = https://me:pw-in-the-url@git.test/x\n',
    'repository/.git/worktrees/tree/commondir': '../..\n',
    'tree/packages/api/.env': 'KEY=of-the-api-package\n',
    'tree/node_modules/x/.env': 'KEY=of-a-dependency\n',
  });
  const tree = path.join(place.folder, 'tree');
  await writeFile(path.join(tree, '.git'), `gitdir: ${place.folder}/repository/.git/worktrees/tree\n`);
  expect(await workspaceSecrets(tree)).toEqual(['of-the-api-package', 'pw-in-the-url']);
});
