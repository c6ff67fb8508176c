import { symlink } from 'node:fs/promises';

import { expect, test } from 'vitest';

import { loadConfig } from './config-layers.ts';
import { problemToText } from './config-problem.ts';
import { showConfig } from './show-config.ts';
import { temporaryFolder, type TemporaryFolder } from '../testing/temporary-folder.ts';

async function load(place: TemporaryFolder, env: Readonly<Record<string, string>> = {}) {
  const loaded = await loadConfig({
    home: place.at('home'),
    cwd: place.at('project'),
    env: { HOME: place.at('user'), ...env },
  });
  if (loaded.type === 'invalid') throw new Error(loaded.problems.map(problemToText).join('\n'));
  return {
    rules: showConfig(loaded.config)
      .filter(({ path }) => path.startsWith('policies.'))
      .map(({ path, value, origin }) => [path, value, origin.layer, origin.file.replace(`${place.folder}/`, '')]),
    warnings: loaded.config.warnings.map((one) => problemToText(one).replace(`${place.folder}/`, '')),
  };
}

test("[C144] [S10] what a person's own files deny other agents, or ask about, holds; what they allow doesn't", async () => {
  await using place = await temporaryFolder({
    'project/': '',
    'user/.claude/settings.json': JSON.stringify({
      permissions: {
        allow: ['Bash(npm:*)', 'Nope'],
        ask: ['Bash(git push:*)'],
        deny: ['Read(~/private/**)', 'Nope'],
        defaultMode: 'plan',
      },
      hooks: { PreToolUse: [] },
    }),
    'user/.gemini/settings.json': JSON.stringify({ tools: { exclude: ['google_web_search'] } }),
    'user/.config/opencode/opencode.json': JSON.stringify({
      permission: { bash: { ls: 'allow', 'rm *': 'deny' } },
    }),
  });
  expect(await load(place)).toEqual({
    rules: [
      ['policies.default.deny', '"read(~/private/**)"', 'user', 'user/.claude/settings.json'],
      ['policies.default.ask', '"shell(git push*)"', 'user', 'user/.claude/settings.json'],
      ['policies.default.deny', '"web_search"', 'user', 'user/.gemini/settings.json'],
      ['policies.default.deny', '"shell(rm *)"', 'user', 'user/.config/opencode/opencode.json'],
    ],
    warnings: ['user/.claude/settings.json deny: Rondo has no rule like "Nope"; it has no effect.'],
  });
});

test("[C144] the agents' own variables say where their files are, and links to them are followed", async () => {
  await using place = await temporaryFolder({
    'project/': '',
    'user/': '',
    'claude/': '',
    'dotfiles/claude.json': JSON.stringify({ permissions: { deny: ['WebSearch'] } }),
    'config/opencode/opencode.jsonc': '{ "permission": { "webfetch": "ask" } } // a comment',
  });
  await symlink(place.at('dotfiles/claude.json'), place.at('claude/settings.json'));
  const { rules } = await load(place, {
    CLAUDE_CONFIG_DIR: place.at('claude'),
    XDG_CONFIG_HOME: place.at('config'),
  });
  expect(rules.map(([, rule]) => rule)).toEqual(['"web_search"', '"web_fetch"']);
});

test("[C144] [S10] a person's own rules that can't be read are reported, saved allowances of other agents aren't", async () => {
  await using place = await temporaryFolder({
    'project/': '',
    'user/.claude/settings.json': '{"permissions": {"deny": [',
    'user/.config/opencode/opencode.json/': '',
    'user/.codex/rules/default.rules': 'prefix_rule(pattern=["git", "push"], decision="forbidden")',
    'user/.gemini/policies/saved.toml': 'decision = "allow"',
  });
  const { rules, warnings } = await load(place);
  expect(rules).toEqual([]);
  expect(warnings).toEqual([
    expect.stringMatching(/^user\/\.claude\/settings\.json: can't be read .*, so its rules have no effect\.$/),
    'user/.config/opencode/opencode.json: must be a readable file of less than 1 MB, so its rules have no effect.',
    "user/.codex/rules: Rondo doesn't read the rules of this place; what they deny isn't denied.",
  ]);
});
