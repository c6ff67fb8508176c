import { expect, test } from 'vitest';

import type { Call } from '../kernel/call.ts';
import type { CallId } from '../kernel/ids.ts';
import { defaultLimits } from '../kernel/limits.ts';
import { modes } from '../kernel/mode.ts';
import { ruleToText } from '../kernel/rule.ts';
import { judge } from '../kernel/policy/permission.ts';
import { loadConfig, type ConfigSources, type LoadedConfig } from './config-layers.ts';
import { problemToText } from './config-problem.ts';
import type { Config } from './config-schema.ts';
import { originOf } from './merge-layers.ts';
import { showConfig } from './show-config.ts';
import { temporaryFolder, type TemporaryFolder } from '../testing/temporary-folder.ts';

function sourcesIn(place: TemporaryFolder, more: Partial<ConfigSources> = {}): ConfigSources {
  return { home: place.at('home'), cwd: place.at('project'), env: {}, trust: 'this-run', ...more };
}

async function load(sources: ConfigSources): Promise<LoadedConfig> {
  const loaded = await loadConfig(sources);
  if (loaded.type === 'invalid') throw new Error(loaded.problems.map(problemToText).join('\n'));
  return loaded.config;
}

async function problemsIn(place: TemporaryFolder, more: Partial<ConfigSources> = {}): Promise<string[]> {
  const loaded = await loadConfig(sourcesIn(place, more));
  if (loaded.type === 'loaded') return [];
  return loaded.problems.map((problem) => problemToText(problem).replace(`${place.folder}/`, ''));
}

function project(config: object | string, user: object = {}): Promise<TemporaryFolder> {
  return temporaryFolder({
    'home/config.json': JSON.stringify(user),
    'project/.git/': '',
    'project/rondo.json': typeof config === 'string' ? config : JSON.stringify(config),
  });
}

test('without a file the defaults apply and nothing needs trust', async () => {
  await using place = await temporaryFolder({ 'project/': '' });
  expect(await load(sourcesIn(place))).toEqual({
    config: {
      defaultAgent: 'assistant',
      limits: defaultLimits,
      store: `sqlite:${place.at('home/rondo.db')}`,
      server: { host: '127.0.0.1', port: 4747 },
    },
    policies: {},
    owners: expect.any(Map),
    rules: [],
    agentFiles: [],
    names: {
      agent: new Set(['assistant']),
      model: new Set(['offline', 'testing']),
      endpoint: new Set(['anthropic', 'openai', 'google', 'amazon-bedrock', 'ollama']),
      prompt: new Set(),
      policy: new Set(['default']),
      theme: new Set(['default']),
    },
    project: {
      folder: place.at('project'),
      root: place.at('project'),
      identity: place.at('project'),
      parts: [],
    },
    trust: { type: 'nothing-to-trust' },
    ignored: [],
    warnings: [],
    intentFiles: new Map(),
    projectFiles: new Map(),
  });
});

test('defaults < user < project < flags, and every value keeps its origin', async () => {
  await using place = await project('{\n  "limits": { "toolCalls": 2, "children": 2 },\n  "store": "memory:"\n}', {
    limits: { steps: 1, toolCalls: 1, children: 1 },
    store: 'sqlite:a',
  });
  const loaded = await load(sourcesIn(place, { flags: { limits: { children: 3 } } }));
  expect(loaded.config.limits).toEqual({ ...defaultLimits, steps: 1, toolCalls: 2, children: 3 });
  expect(loaded.config.store).toBe('memory:');
  const file = place.at('project/rondo.json');
  expect(originOf(loaded, ['limits', 'denials'])).toEqual({
    layer: 'default',
    file: 'the defaults',
    line: 0,
    column: 0,
  });
  expect(originOf(loaded, ['limits', 'steps'])).toEqual({
    layer: 'user',
    file: place.at('home/config.json'),
    line: 1,
    column: 20,
  });
  expect(originOf(loaded, ['limits', 'toolCalls'])).toEqual({ layer: 'project', file, line: 2, column: 28 });
  expect(originOf(loaded, ['limits', 'children'])).toEqual({
    layer: 'flag',
    file: 'the command line',
    line: 0,
    column: 0,
  });
  expect(originOf(loaded, ['store'])).toEqual({ layer: 'project', file, line: 3, column: 12 });
});

test("a project's endpoint takes the place of the user's whole and never inherits its key", async () => {
  await using place = await project(
    { endpoints: { main: { type: 'openai', baseUrl: 'https://elsewhere.example' } } },
    { endpoints: { main: { type: 'openai', apiKey: 'k' }, mine: { type: 'google' } } },
  );
  const { config } = await load(sourcesIn(place));
  expect(config.endpoints).toEqual({
    main: { type: 'openai', baseUrl: 'https://elsewhere.example' },
    mine: { type: 'google' },
  });
});

test('[C41][C42] rules of all layers are joined with their origin, and a deny stands against every allow', async () => {
  await using place = await project(
    { policies: { default: { allow: ['shell(rm *)'], ask: ['web'] } } },
    { policies: { default: { deny: ['shell(rm *)'], allow: ['web'] } } },
  );
  const flags: Config = { policies: { default: { allow: ['shell'], deny: ['write'] } } };
  const { rules } = await load(sourcesIn(place, { flags }));
  expect(rules).toEqual([
    { verdict: 'deny', tool: 'shell', pattern: 'rm *', origin: 'user' },
    { verdict: 'allow', tool: 'web', origin: 'user' },
    { verdict: 'ask', tool: 'web', origin: 'project' },
    { verdict: 'allow', tool: 'shell', pattern: 'rm *', origin: 'project' },
    { verdict: 'deny', tool: 'write', origin: 'flag' },
    { verdict: 'allow', tool: 'shell', origin: 'flag' },
  ]);
  const verdictOn = (text: string) => {
    const facts = {
      access: 'execute',
      segments: [{ text }],
      repeat: 'never',
      order: 'exclusive',
      runs: 'tool',
    } as const;
    const call: Call = { id: 'c' as CallId, tool: 'shell', args: '{}', facts };
    return judge(call, { rules, grants: [], tools: 'all' }, modes.interactive).verdict;
  };
  expect([verdictOn('rm -r x'), verdictOn('ls')]).toEqual(['deny', 'allow']);
});

test('[S10] an allow for a tool that is not there is a warning with the nearest name, and the rest holds', async () => {
  await using place = await temporaryFolder({
    'home/config.json': '{"policies":{"default":{"allow":["bash(ls)","shell(","shell(ls)"]}}}',
    'project/': '',
  });
  const { warnings, rules } = await load(sourcesIn(place));
  expect(warnings.map(({ path, message, nearest }) => [path, message, nearest])).toEqual([
    ['policies.default.allow[0]', 'unknown tool "bash"; did you mean "shell"?', 'shell'],
    [
      'policies.default.allow[1]',
      'invalid rule "shell("; write tool or tool(pattern), such as shell(git status*).',
      undefined,
    ],
  ]);
  expect(rules.map(ruleToText)).toEqual(['bash(ls)', 'shell(ls)']);
});

test('[C41] a rule on the command line that cannot be read is a problem', async () => {
  await using place = await temporaryFolder({ 'project/': '' });
  expect(await problemsIn(place, { flags: { policies: { default: { allow: ['shell('] } } } })).toEqual([
    'the command line policies.default.allow[0]: invalid rule "shell("; write tool or tool(pattern), such as shell(git status*).',
  ]);
});

test.each<[string, object, string]>([
  [
    'default agent',
    { defaultAgent: 'assistent' },
    'defaultAgent: unknown agent "assistent"; did you mean "assistant"?',
  ],
  [
    'agent to model',
    { models: { fast: { endpoint: 'openai', model: 'm' } }, agents: { a: { model: 'fats' } } },
    'agents.a.model: unknown model "fats"; did you mean "fast"?',
  ],
  [
    'agent to endpoint',
    { agents: { a: { endpoint: 'opnai', model: 'm' } } },
    'agents.a.endpoint: unknown endpoint "opnai"; did you mean "openai"?',
  ],
  [
    'agent to endpoint within a model',
    { agents: { a: { model: 'antropic/claude' } } },
    'agents.a.model: unknown endpoint "antropic"; did you mean "anthropic"?',
  ],
  [
    'agent to prompt',
    { prompts: { review: 'You …' }, agents: { a: { prompt: 'reviw' } } },
    'agents.a.prompt: unknown prompt "reviw"; did you mean "review"?',
  ],
  [
    'agent to policy',
    { policies: { strict: {} }, agents: { a: { policy: ['strict', 'strikt'] } } },
    'agents.a.policy[1]: unknown policy "strikt"; did you mean "strict"?',
  ],
  [
    'agent to theme',
    { themes: { night: {} }, agents: { a: { theme: 'nigth' } } },
    'agents.a.theme: unknown theme "nigth"; did you mean "night"?',
  ],
  [
    'model to endpoint',
    { endpoints: { local: { type: 'openai' } }, models: { m: { endpoint: 'locl', model: 'x' } } },
    'models.m.endpoint: unknown endpoint "locl"; did you mean "local"?',
  ],
  [
    'model to fallback',
    {
      models: {
        one: { endpoint: 'openai', model: 'x', fallbacks: ['tow'] },
        two: { endpoint: 'openai', model: 'y' },
      },
    },
    'models.one.fallbacks[0]: unknown model "tow"; did you mean "two"?',
  ],
])('[C115] a dangling reference from %s is named with its place', async (_kind, config, problem) => {
  await using place = await project(config);
  const written = /unknown \w+ "(\w+)"/.exec(problem)?.[1];
  const column = JSON.stringify(config).indexOf(`"${written}`) + 1;
  expect(await problemsIn(place)).toEqual([`project/rondo.json:1:${column} ${problem}`]);
});

test('[C115] a project may refer to what the user defined, and to built-in names', async () => {
  await using place = await project(
    {
      agents: {
        a: { model: 'fast', theme: 'night', policy: 'strict' },
        b: { model: 'ollama/qwen3' },
        c: { model: 'offline' },
      },
    },
    { models: { fast: { endpoint: 'openai', model: 'x' } }, themes: { night: {} }, policies: { strict: {} } },
  );
  expect(await problemsIn(place)).toEqual([]);
});

test('[C115] a dangling reference is reported at its place in the user file too', async () => {
  await using place = await project({}, { agents: { a: { theme: 'dusk' } } });
  expect(await problemsIn(place)).toEqual([
    'home/config.json:1:25 agents.a.theme: unknown theme "dusk"; known are default.',
  ]);
});

test('the nearest configuration upwards is used, and none above the repository', async () => {
  await using place = await temporaryFolder({
    'rondo.json': '{"defaultAgent":"above"}',
    'project/.git/': '',
    'project/rondo.json': '{"store":"sqlite:outer"}',
    'project/a/.rondo/config.json': '{"store":"sqlite:inner"}',
    'project/a/b/': '',
    'project/c/': '',
  });
  const at = async (cwd: string) => (await load(sourcesIn(place, { cwd: place.at(cwd) }))).config;
  expect((await at('project/a/b')).store).toBe('sqlite:inner');
  expect((await at('project/c')).store).toBe('sqlite:outer');
  expect((await at('project/c')).defaultAgent).toBe('assistant');
});

test('two configurations in one folder are a problem, and so is one that is a link', async () => {
  await using place = await temporaryFolder({ 'project/rondo.json': '{}', 'project/.rondo/config.json': '{}' });
  expect(await problemsIn(place)).toEqual([
    'project/rondo.json: .rondo/config.json exists too; keep one of the two.',
  ]);
});

test("--config takes the place of the project's file; one that is not there is a problem", async () => {
  await using place = await project({ store: 'memory:' });
  await place.write('project/ci.json', '{"limits":{"steps":7}}');
  const loaded = await load(sourcesIn(place, { file: 'ci.json', trust: 'recorded' }));
  expect([loaded.config.store, loaded.config.limits?.steps]).toEqual([`sqlite:${place.at('home/rondo.db')}`, 7]);
  expect(await problemsIn(place, { file: 'c.json' })).toEqual([
    'project/c.json: file not found; --config names the configuration to use.',
  ]);
});

test('an agent that is defined by a file and in the configuration of the same layer is a problem', async () => {
  await using place = await project({ agents: { coder: {} } });
  await place.write('project/.rondo/agents/coder.md', 'You code.');
  expect(await problemsIn(place)).toEqual([
    `project/rondo.json:1:12 agents.coder: the agent "coder" is also defined by ${place.at('project/.rondo/agents/coder.md')}.`,
  ]);
});

test('the configuration is shown value by value, with origins and without secrets', async () => {
  await using place = await project(
    { store: '${WHERE}', policies: { default: { deny: ['web'] } } },
    {
      endpoints: { main: { type: 'openai', apiKey: 'sk-1', headers: { 'x-key': 'sk-2' } } },
      mcpServers: { t: { command: 'run', args: ['--key', '${KEY}'] } },
    },
  );
  const rows = showConfig(await load(sourcesIn(place, { env: { WHERE: 'memory:', KEY: 'sk-3' } })));
  const lines = rows
    .filter(({ origin }) => origin.layer !== 'default')
    .map((row) => `${row.origin.layer} ${row.path} ${row.value}`);
  expect(lines).toEqual([
    'project store "…"',
    'user endpoints.main.type "openai"',
    'user endpoints.main.apiKey "…"',
    'user endpoints.main.headers.x-key "…"',
    'user mcpServers.t.command "run"',
    'user mcpServers.t.args "…"',
    'project policies.default.deny "web"',
  ]);
  expect(rows.find(({ path }) => path === 'mcpServers.t.args')?.origin.variables).toEqual(['KEY']);
});

test('[C115] mistakes of every kind, in every file, are reported in one run', async () => {
  await using place = await temporaryFolder({
    'home/config.json': JSON.stringify({
      limits: { steps: 'many' },
      models: { fast: { endpoint: 'nowhere', model: 'm' } },
    }),
    'home/agents/writer.md': '---\nmodle: fast\n---\nYou write.',
    'project/.git/': '',
    'project/rondo.json': JSON.stringify({
      color: 'red',
      store: 'sqlite:${NOT_SET}',
      policies: { default: { deny: ['shell(('] } },
      agents: { coder: { model: 'fats' } },
    }),
    'project/.rondo/agents/tester.md': '---\npolicy: strict\n---\nYou test.',
  });
  const problems = await problemsIn(place, { check: 'everything' });
  expect(problems.map((line) => line.replace(/^(\S+?):[\d:]*/, '$1'))).toEqual([
    'home/config.json limits.steps: must be a number, not text.',
    'project/rondo.json store: the environment variable NOT_SET is not set; set it, or write ${NOT_SET:-…} to give a default.',
    'project/rondo.json color: unknown key "color"; known are $schema, defaultAgent, endpoints, models, agents, prompts, policies, themes, limits, store, server, tools, ….',
    'project/rondo.json policies.default.deny[0]: invalid rule "shell(("; write tool or tool(pattern), such as shell(git status*).',
    'home/config.json models.fast.endpoint: unknown endpoint "nowhere"; known are anthropic, openai, google, amazon-bedrock, ollama.',
    'project/rondo.json agents.coder.model: unknown model "fats"; did you mean "fast"?',
    'home/agents/writer.md modle: unknown key "modle"; did you mean "model"?',
    'project/.rondo/agents/tester.md policy: unknown policy "strict"; known are default.',
  ]);
});
