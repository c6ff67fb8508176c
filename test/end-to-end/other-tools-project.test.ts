import { rm, symlink } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from 'vitest';

import type { ConfigRow } from '../../src/agents/show-config.ts';
import { createCliPlace, type CliPlace } from './cli-process.ts';

/** A project that was set up for another agent, and never saw Rondo. */
async function otherToolsPlace() {
  const place = await createCliPlace();
  const server = `${process.cwd()}/test/fixtures/mcp-server.ts`;
  await place.write('.mcp.json', {
    mcpServers: {
      tickets: { type: 'stdio', command: process.execPath, args: [server], note: 'unknown key' },
      off: { command: 'no-such-program' },
      off2: { command: 'no-such-program' },
    },
    policies: { default: { allow: ['shell'] } },
  });
  await place.write('.claude/settings.json', {
    permissions: { allow: ['Bash(touch allowed.txt:*)'], deny: ['Bash(touch denied:*)'] },
    disabledMcpjsonServers: ['off'],
  });
  await place.write('.claude/settings.local.json', { disabledMcpjsonServers: ['off2'] });
  await place.write('CLAUDE.md', 'Be brief.');
  await place.write('.claude/commands/git/commit.md', '---\ndescription: Commit\n---\nCommit with $ARGUMENTS.');
  await place.write('.claude/skills/deploy/SKILL.md', '---\ndescription: How to deploy.\n---\nPush the button.');
  return place;
}

const words = ['run', '--json', '--agent', 'testing'] as const;

test('[C130] [C131] [C144] a project of another agent works after trust: commands, skills, MCP servers and rules', async () => {
  await using place = await otherToolsPlace();
  await place.write('.claude/agents/critic.md', '---\nname: critic\ntools: Read\n---\nYou review.');
  const trusted = await place.rondo('trust', '--yes');
  expect([trusted.code, trusted.out.includes('mcpServers.tickets')]).toEqual([0, true]);

  const command = await place.rondo(...words, '/git:commit a message');
  expect([command.code, command.out.includes('Commit with a message.')]).toEqual([0, true]);

  const skill = await place.rondo(...words, 'call skill {"name":"deploy"}\nsay done');
  expect([skill.code, skill.out.includes('Push the button.')]).toEqual([0, true]);
  expect(skill.err).not.toContain('MCP server off');
  expect((await place.rondo('run', '/skills')).out).toContain('How to deploy.');

  const rules = await place.rondo(...words, 'call shell {"command":"touch allowed.txt"}\nsay done');
  expect(rules.code).toBe(0);
  const denied = await place.rondo(
    ...words,
    '--auto-approve',
    'call shell {"command":"touch denied.txt"}\nsay done',
  );
  expect(denied.out).toContain('call-refused');
  const other = await place.rondo(...words, 'call shell {"command":"touch other.txt && rm other.txt"}\nsay done');
  expect(other.code).toBe(3);

  const critic = await place.rondo(
    'run',
    '--json',
    '--agent',
    'critic',
    '--model',
    'testing',
    'call read {"path":"CLAUDE.md"}\ncall shell {"command":"touch allowed.txt"}\nsay done',
  );
  expect(critic.out).toContain('Be brief.');
  expect(critic.out).toContain('This agent may not use the tool shell.');

  const shown = await place.rondo('config', 'show', '--origin');
  expect(shown.out).toMatch(/tickets[\s\S]*\.mcp\.json/);
  const rows = JSON.parse((await place.rondo('config', 'show', '--origin', '--json')).out) as readonly ConfigRow[];
  const texts = rows.filter(({ path: key }) => /^(?:agents|instructions|commands|skills)\b/.test(key));
  expect(texts.map(({ path: key, origin }) => [key, path.relative(place.project, origin.file)])).toEqual([
    ['agents.critic', '.claude/agents/critic.md'],
    ['instructions', 'CLAUDE.md'],
    ['commands.deploy', '.claude/skills/deploy/SKILL.md'],
    ['commands.git:commit', '.claude/commands/git/commit.md'],
    ['skills.deploy', '.claude/skills/deploy/SKILL.md'],
  ]);
});

test('[C130] [C131] [S1] before trust it only tightens, and names what it ignores', async () => {
  await using place = await otherToolsPlace();
  const command = await place.rondo(...words, '/git:commit a message');
  expect([command.code, command.err.includes('Unknown command /git:commit')]).toEqual([2, true]);
  expect(command.err).toContain('.claude/commands/git/commit.md');
  expect(command.err).toContain('mcpServers.tickets');

  const skill = await place.rondo(...words, '--auto-approve', 'call skill {"name":"deploy"}\nsay done');
  expect(skill.out).not.toContain('Push the button.');
  const denied = await place.rondo(
    ...words,
    '--auto-approve',
    'call shell {"command":"touch denied.txt"}\nsay done',
  );
  expect(denied.out).toContain('call-refused');
  expect((await place.rondo(...words, 'call shell {"command":"touch allowed.txt"}\nsay done')).code).toBe(3);
});

test('[C144] [S1] [S10] what other agents are denied stays denied, in every way to reach it, before trust too', async () => {
  await using place = await createCliPlace();
  await place.write('secrets/key.txt', 'top secret');
  await place.write('pkg/.env', 'TOKEN=1');
  await place.write('src/a.ts', 'a');
  await place.write('.claude/settings.json', {
    permissions: {
      deny: ['Read(./secrets/**)', 'Read(.env)', 'Edit(src/**)', 'WebFetch(domain:evil.test)', 'Nope'],
    },
  });
  await place.write('.claude/settings.local.json', {
    permissions: { allow: ['Bash(touch allowed:*)'], deny: ['Bash(touch local:*)'] },
  });
  await place.write('opencode.json', { permission: { bash: { 'touch opencode*': 'deny' } } });
  await place.write('.gemini/settings.json', { excludeTools: ['run_shell_command(touch gemini)'] });
  const tried = async (call: string) => {
    const { out, err } = await place.rondo(...words, '--auto-approve', `call ${call}\nsay done`);
    return [/"type":"call-refused".*?"rule":"([^"]*)"/.exec(out)?.[1], err] as const;
  };
  for (const [call, rule] of [
    ['read {"path":"secrets/key.txt"}', 'read(secrets/**)'],
    ['grep {"pattern":"top","path":"secrets"}', 'read(secrets/**)'],
    ['shell {"command":"cat secrets/key.txt"}', 'read(secrets/**)'],
    ['read {"path":"pkg/.env"}', 'read(**/.env)'],
    ['shell {"command":"echo b > src/a.ts"}', 'edit(src/**)'],
    ['web_fetch {"url":"http://evil.test/"}', 'web_fetch(http*://evil.test/*)'],
    ['shell {"command":"touch local"}', 'shell(touch local*)'],
    ['shell {"command":"touch opencode"}', 'shell(touch opencode*)'],
    ['shell {"command":"touch gemini"}', 'shell(touch gemini*)'],
  ] as const)
    expect([call, (await tried(call))[0]]).toEqual([call, rule]);
  const [, warned] = await tried('list {}');
  expect(warned).toContain('deny: Rondo has no rule like "Nope"; it has no effect.');
  const searched = await place.rondo(...words, 'call grep {"pattern":"top"}');
  expect(searched.out).not.toContain('key.txt:1');

  expect((await place.rondo('trust', '--yes')).code).toBe(0);
  // Claude Code adds to this file with each answer: it never allows anything, and needs no trust.
  await place.write('.claude/settings.local.json', {
    permissions: { allow: ['Bash(touch allowed:*)'], deny: ['Bash(touch later:*)'] },
  });
  const trusted = await place.rondo(...words, 'call shell {"command":"touch allowed"}');
  expect([trusted.code, trusted.err.includes("isn't trusted")]).toEqual([3, false]);
  expect((await tried('shell {"command":"touch later"}'))[0]).toBe('shell(touch later*)');
});

test('[C144] [S10] rules of other agents that cannot be read are reported before trust too', async () => {
  await using place = await createCliPlace();
  await place.write('.claude/settings.json', '{"permissions": {"deny": ["Bash"');
  await place.write('elsewhere.json', { permission: { bash: 'deny' } });
  await symlink('elsewhere.json', path.join(place.project, 'opencode.json'));
  await place.write('.codex/rules/default.rules', 'prefix_rule(pattern=["git", "push"], decision="forbidden")');
  const { code, err } = await place.rondo('run', '--agent', 'testing', 'say hi');
  expect(code).toBe(0);
  expect(err).toMatch(/settings\.json: can't be read .*, so its rules have no effect/);
  expect(err).toMatch(/opencode\.json: must be a plain file/);
  expect(err).toMatch(/\.codex\/rules: Rondo doesn't read the rules of this place/);
});

test('[S1] [S14] a name in a project neither acts on the terminal nor starts a line, and hides nothing from trust', async () => {
  await using place = await createCliPlace();
  await place.write('.claude/commands/\u001B]0;title\u0007\n  harmless.md', 'Do it.');
  await place.write('.claude/commands/help.md', '---\ndescription: Take over\n---\nDo it.');
  await place.write('.claude/settings.json', { permissions: { deny: ['Nope\u009B2J'] } });
  const told = async (...words: readonly string[]) => {
    const { out, err } = await place.rondo(...words);
    return `${out}${err}`;
  };
  const name = '.claude/commands/‹U+001B›]0;title‹U+0007›⏎  harmless.md';
  const shown = await told('trust', '--show');
  expect(shown.split('\n').filter((line) => line.includes('harmless'))).toEqual([
    `  ${name}`,
    `  ${name}: its text would instruct the model.`,
  ]);
  const said = [shown, await told(...words, 'say hi'), await told('config', 'check')];
  expect(said[1]).toContain(`${name}, `);
  await place.write('rondo.json', '{"\\u001b[2Jkey": 1}');
  said.push(await told('config', 'check'), await told('trust', '--yes'));
  // oxlint-disable-next-line no-control-regex -- what a terminal acts on
  expect(said.filter((text) => /[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/.test(text))).toEqual([]);
  await rm(path.join(place.project, 'rondo.json'));
  expect((await place.rondo('trust', '--yes')).code).toBe(0);
  expect(await told('run', '/help')).not.toContain('Take over');
});

/** What `config show --origin` says of a project: `path ← file`, without the defaults. */
async function originsIn(place: CliPlace): Promise<readonly string[]> {
  const shown = await place.rondo('config', 'show', '--origin', '--json');
  return (JSON.parse(shown.out) as readonly ConfigRow[])
    .filter(({ origin }) => origin.layer === 'project')
    .map(({ path: key, value, origin }) => {
      const what = key.startsWith('policies.') ? `${key} ${value}` : key;
      return `${what} ← ${path.relative(place.project, origin.file)}`;
    });
}

const fixture = `${process.cwd()}/test/fixtures/mcp-server.ts`;
const skill = '---\ndescription: How to deploy.\n---\nPush the button.';
const usesParts = [
  'call skill {"name":"deploy"}\ncall mcp__tickets__echo {"text":"hello"}\ncall mcp__tickets__fail {}\nsay done',
  ['Push the button.', '"output":"hello"'],
] as const;
const usesSkill = ['/deploy now', ['Push the button.', 'Arguments: now']] as const;
const usesCommand = ['/git:commit a message', ['Commit with a message.']] as const;
const isDenied = [
  'call shell {"command":"touch denied.txt"}\nsay done',
  ['"rule":"shell(touch denied*)"'],
] as const;

test.for([
  {
    agent: 'Gemini CLI',
    files: {
      'GEMINI.md': 'Be brief. See @docs/style.md.',
      'docs/style.md': 'Two spaces.',
      '.gemini/commands/git/commit.toml': 'description = "Commit"\nprompt = "Commit with {{args}}."',
      '.agents/skills/deploy/SKILL.md': skill,
      '.gemini/settings.json': {
        mcpServers: {
          tickets: { command: process.execPath, args: [fixture], env: { KEY: '$HOME' }, excludeTools: ['fail'] },
          off: { command: 'no-such-program' },
        },
        mcp: { excluded: ['off'] },
        tools: { exclude: ['run_shell_command(touch denied)'], allowed: ['run_shell_command(touch)'] },
      },
    },
    origins: [
      'mcpServers.tickets.command ← .gemini/settings.json',
      'mcpServers.tickets.args ← .gemini/settings.json',
      'mcpServers.tickets.env.KEY ← .gemini/settings.json',
      'mcpServers.tickets.excludeTools ← .gemini/settings.json',
      'mcpServers.off.command ← .gemini/settings.json',
      'mcpServers.off.disabled ← .gemini/settings.json',
      'policies.default.deny "shell(touch denied*)" ← .gemini/settings.json',
      'instructions ← GEMINI.md',
      'instructions ← docs/style.md',
      'commands.deploy ← .agents/skills/deploy/SKILL.md',
      'commands.git:commit ← .gemini/commands/git/commit.toml',
      'skills.deploy ← .agents/skills/deploy/SKILL.md',
    ],
    lines: [usesCommand, usesSkill, isDenied],
  },
  {
    // Commands are of the person only, and its rules aren't read.
    agent: 'Codex',
    files: {
      'AGENTS.md': 'Be brief.',
      '.agents/skills/deploy/SKILL.md': skill,
      '.codex/config.toml': [
        'model = "gpt"',
        '[mcp_servers.tickets]',
        `command = ${JSON.stringify(process.execPath)}`,
        `args = [${JSON.stringify(fixture)}]`,
        'env_vars = ["HOME"]',
        'disabled_tools = ["fail"]',
        '[mcp_servers.off]',
        'command = "no-such-program"',
        'enabled = false',
      ].join('\n'),
    },
    origins: [
      'mcpServers.tickets.command ← .codex/config.toml',
      'mcpServers.tickets.args ← .codex/config.toml',
      'mcpServers.tickets.env.HOME ← .codex/config.toml',
      'mcpServers.tickets.excludeTools ← .codex/config.toml',
      'mcpServers.off.command ← .codex/config.toml',
      'mcpServers.off.disabled ← .codex/config.toml',
      'instructions ← AGENTS.md',
      'commands.deploy ← .agents/skills/deploy/SKILL.md',
      'skills.deploy ← .agents/skills/deploy/SKILL.md',
    ],
    lines: [usesSkill],
  },
  {
    agent: 'OpenCode',
    files: {
      'AGENTS.md': 'Be brief.',
      'docs/style.md': 'Two spaces.',
      '.opencode/commands/git/commit.md': '---\ndescription: Commit\n---\nCommit with $ARGUMENTS.',
      '.opencode/skills/deploy/SKILL.md': skill,
      'opencode.jsonc': `{
        // with a comment
        "instructions": ["docs/*.md"],
        "mcp": {
          "tickets": {
            "type": "local",
            "command": ["${process.execPath}", "${fixture}"],
            "environment": { "KEY": "{env:HOME}" },
          },
          "off": { "type": "local", "command": ["no-such-program"], "enabled": false },
        },
        "permission": { "bash": { "*": "ask", "touch denied*": "deny" }, "tickets_fail": "deny" },
      }`,
    },
    origins: [
      'mcpServers.tickets.command ← opencode.jsonc',
      'mcpServers.tickets.args ← opencode.jsonc',
      'mcpServers.tickets.env.KEY ← opencode.jsonc',
      'mcpServers.off.command ← opencode.jsonc',
      'mcpServers.off.disabled ← opencode.jsonc',
      'policies.default.deny "shell(touch denied*)" ← opencode.jsonc',
      'policies.default.deny "mcp__tickets__fail" ← opencode.jsonc',
      'policies.default.ask "shell" ← opencode.jsonc',
      'policies.default.ask "run_tests" ← opencode.jsonc',
      'instructions ← AGENTS.md',
      'instructions ← docs/style.md',
      'commands.deploy ← .opencode/skills/deploy/SKILL.md',
      'commands.git:commit ← .opencode/commands/git/commit.md',
      'skills.deploy ← .opencode/skills/deploy/SKILL.md',
    ],
    lines: [usesCommand, usesSkill, isDenied],
  },
])('[C130] [C131] [C144] a project of $agent works after trust, and each part keeps its origin', async (given) => {
  await using place = await createCliPlace();
  for (const [file, content] of Object.entries(given.files)) await place.write(file, content);
  expect((await place.rondo('trust', '--yes')).code).toBe(0);
  expect(await originsIn(place)).toEqual(given.origins);
  for (const [prompt, said] of [...given.lines, usesParts]) {
    const { code, out, err } = await place.rondo(...words, '--auto-approve', prompt);
    expect([code, err, said.filter((text) => !out.includes(text)), out.includes('it went wrong')]).toEqual([
      0,
      expect.not.stringContaining('MCP server'),
      [],
      false,
    ]);
  }
});

test("[C144] a person's servers of other agents are used once they are adopted, and not after a change", async () => {
  await using place = await createCliPlace();
  const env = { HOME: place.home };
  const rondo = (...typed: readonly string[]) => place.start(typed, { env }).ended;
  const server = `${process.cwd()}/test/fixtures/mcp-server.ts`;
  const claude = (name: string) =>
    place.write('../.claude.json', { mcpServers: { [name]: { command: process.execPath, args: [server] } } });
  await claude('notes');
  await place.write('../.codex/config.toml', '[mcp_servers.docs]\nurl = "https://docs.example/mcp"\n');
  await place.write('../.gemini/settings.json', {
    mcpServers: { maps: { httpUrl: 'https://maps.example/mcp', headers: { 'X-Key': '1' }, trust: true } },
  });
  const servers = async () =>
    (
      JSON.parse((await rondo('mcp', 'list', '--json')).out) as { servers: { name: string; from: string }[] }
    ).servers.map(({ name, from }) => `${name}: ${from}`);
  expect(await servers()).toEqual([]);
  // Nobody is there to ask.
  const asked = await rondo('mcp', 'adopt', 'claude');
  expect([asked.code, asked.err.includes(`notes: ${process.execPath}`)]).toEqual([3, true]);
  for (const agent of ['claude', 'codex', 'gemini'])
    expect((await rondo('mcp', 'adopt', agent, '--yes')).code).toBe(0);
  expect(await servers()).toEqual([
    `notes: ${place.home}/.claude.json`,
    `docs: ${place.home}/.codex/config.toml`,
    `maps: ${place.home}/.gemini/settings.json`,
  ]);
  expect((await rondo('config', 'show', '--origin')).out).toMatch(/notes[\s\S]*\.claude\.json/);
  const used = await rondo(...words, '--auto-approve', 'call mcp__notes__echo {"text":"hello"}\nsay done');
  expect(used.out).toContain('"output":"hello"');

  await claude('evil');
  expect(await servers()).not.toContain(`evil: ${place.home}/.claude.json`);
  expect((await rondo('config', 'check')).err).toContain('rondo mcp adopt claude');
  await rondo('mcp', 'adopt', 'codex', '--remove');
  expect(await servers()).toEqual([`maps: ${place.home}/.gemini/settings.json`]);
  expect((await rondo('mcp', 'adopt', 'other')).code).toBe(2);
});

test("[C144] [S1] Claude Code's servers for a project are adopted for that project only", async () => {
  await using place = await createCliPlace();
  const folder = place.project;
  const entry = (name: string) => ({ mcpServers: { [name]: { command: 'true' } } });
  const claude = (name: string) =>
    place.write('../.claude.json', {
      ...entry('everywhere'),
      projects: { [folder]: entry(name), '/elsewhere': entry('elsewhere') },
    });
  await claude('here');
  await place.write('other/.keep', '');
  const rondo = (...typed: readonly string[]) => place.start(typed, { env: { HOME: place.home } }).ended;
  const servers = async (...more: readonly string[]) =>
    (
      JSON.parse((await rondo('mcp', 'list', '--json', ...more)).out) as {
        servers: { name: string; from: string }[];
      }
    ).servers.map(({ name, from }) => `${name}: ${from}`);
  const file = `${place.home}/.claude.json`;
  const adopted = await rondo('mcp', 'adopt', 'claude', '--yes');
  expect([adopted.code, adopted.err]).toEqual([
    0,
    `${file} has for all projects:\n  everywhere: true\n${file} has for ${folder} only:\n  here: true\n`,
  ]);
  expect(await servers()).toEqual([`everywhere: ${file}`, `here: ${file} (for this project)`]);
  expect(await servers('--cwd', 'other')).toEqual([`everywhere: ${file}`]);
  await claude('changed');
  expect(await servers()).toEqual([`everywhere: ${file}`]);
  await rondo('mcp', 'adopt', 'claude', '--remove');
  expect(await servers()).toEqual([]);
});

test("[C144] [S10] a person's own deny rules of another agent hold in each project, and config show names their file", async () => {
  await using place = await createCliPlace();
  const rondo = (...typed: readonly string[]) => place.start(typed, { env: { HOME: place.home } }).ended;
  await place.write('../.claude/settings.json', {
    permissions: { allow: ['Bash(touch allowed:*)'], deny: ['Bash(touch denied:*)', 'Nope'] },
  });
  const denied = await rondo(...words, '--auto-approve', 'call shell {"command":"touch denied"}\nsay done');
  expect(denied.out).toContain('"rule":"shell(touch denied*)"');
  expect(denied.err).toContain(`deny: Rondo has no rule like "Nope"; it has no effect.`);
  expect((await rondo(...words, 'call shell {"command":"touch allowed"}')).code).toBe(3);
  const rows = JSON.parse((await rondo('config', 'show', '--origin', '--json')).out) as readonly ConfigRow[];
  const row = rows.find(({ value }) => value.includes('touch denied'));
  expect(row?.origin).toMatchObject({ layer: 'user', file: path.join(place.home, '.claude/settings.json') });
  expect((await rondo('config', 'show', '--origin')).out).toContain('.claude/settings.json');
});
