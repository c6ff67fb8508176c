import { expect, test } from 'vitest';

import { readProjectFiles } from './project-files.ts';
import { findProject } from './project.ts';
import { withoutEffect, withoutEffectText } from './without-effect.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

test('[C144] what a project keeps for other agents and Rondo passes over is named', async () => {
  await using place = await temporaryFolder({
    'CLAUDE.md': 'See @~/own.md.',
    '.claude/output-styles/short.md': 'Be short.',
    '.claude/settings.json': JSON.stringify({
      $schema: 'x',
      env: {},
      permissions: { allow: [], additionalDirectories: [] },
      disabledMcpjsonServers: [],
    }),
    '.claude/settings.local.json': '{"permissions": {"deny": []}}',
    '.gemini/settings.json': JSON.stringify({
      ui: {},
      mcp: { excluded: [], serverCommand: 'x' },
      excludeTools: [],
    }),
    'opencode.json': JSON.stringify({ agent: {}, mcp: {} }),
    '.codex/config.toml': 'model = "gpt"\n[mcp_servers.docs]\ncommand = "x"\n[profiles.fast]\nmodel = "mini"\n',
  });
  const project = await findProject(place.folder, place.at('home'));
  const rows = await withoutEffect(await readProjectFiles(project), { root: project.root, cwd: place.folder });
  expect(rows.map(withoutEffectText)).toEqual([
    '.claude/settings.json: Rondo has no use for env, permissions.additionalDirectories.',
    'opencode.json: Rondo has no use for agent.',
    '.gemini/settings.json: Rondo has no use for ui, mcp.serverCommand.',
    '.codex/config.toml: Rondo has no use for model, profiles.',
    '.claude/output-styles: Rondo reads nothing here.',
    "~/own.md: It isn't read: it is outside the project.",
  ]);
});
