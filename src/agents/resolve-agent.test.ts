import { expect, test } from 'vitest';

import { optional } from '../kernel/optional.ts';
import type { AgentDefinition } from './agent-definition.ts';
import { assistantPrompt } from './assistant-prompt.ts';
import { loadConfig, type LoadedConfig } from './config-layers.ts';
import { problemToText } from './config-problem.ts';
import type { Config } from './config-schema.ts';
import { listAgents, resolveAgent } from './resolve-agent.ts';
import { temporaryFolder, type TemporaryFolder } from '../testing/temporary-folder.ts';

const env = { KEY: 'k' };

async function load(place: TemporaryFolder, flags?: Config): Promise<LoadedConfig> {
  const sources = { home: place.at('home'), cwd: place.at('project'), env, trust: 'this-run' } as const;
  const loaded = await loadConfig({ ...sources, ...optional({ flags }) });
  if (loaded.type === 'invalid') throw new Error(loaded.problems.map(problemToText).join('\n'));
  return loaded.config;
}

async function agent(place: TemporaryFolder, name: string, flags?: Config): Promise<AgentDefinition> {
  const resolved = await resolveAgent(await load(place, flags), name, env);
  if (resolved.type !== 'resolved') throw new Error(JSON.stringify(resolved));
  return resolved.agent;
}

async function problemsOf(place: TemporaryFolder, name: string): Promise<string[]> {
  const resolved = await resolveAgent(await load(place), name, env);
  if (resolved.type !== 'invalid') return [resolved.type];
  return resolved.problems.map((problem) => problemToText(problem).replace(`${place.folder}/`, ''));
}

const specialist = `---
description: Reviews changes.
model: fast
tools: [read, grep]
policy: strict
limits: { steps: 5 }
mode: supervised
theme: night
resources:
  - docs/*.md
understand: model
compile: true
---

You review.
`;

const config = JSON.stringify({
  models: { fast: { endpoint: 'openai', model: 'm' } },
  policies: { strict: { deny: ['shell(git push*)'], allow: ['shell(git *)'] }, default: { ask: ['web'] } },
  themes: { night: { user: 'cyan' } },
  limits: { toolCalls: 9, steps: 9 },
});

test('[C74][C114] a specialist comes from its Markdown file, with all it refers to', async () => {
  await using place = await temporaryFolder({
    'project/rondo.json': config,
    'project/.rondo/agents/reviewer.md': specialist,
  });
  const definition = await agent(place, 'reviewer');
  expect(definition).toEqual({
    name: 'reviewer',
    description: 'Reviews changes.',
    runs: 'model',
    model: 'fast',
    prompt: 'You review.',
    tools: { only: ['read', 'grep'] },
    rules: [
      { verdict: 'deny', tool: 'shell', pattern: 'git push*', origin: 'agent' },
      { verdict: 'allow', tool: 'shell', pattern: 'git *', origin: 'agent' },
    ],
    limits: { toolCalls: 9, steps: 5 },
    mode: 'supervised',
    theme: 'night',
    resources: ['docs/*.md'],
    understand: 'model',
    compile: true,
    origin: { layer: 'project', file: place.at('project/.rondo/agents/reviewer.md'), line: 1, column: 1 },
  });
});

test('[C74] a specialist without a file is unknown, so that it can be made from its persona', async () => {
  await using place = await temporaryFolder({ 'home/agents/coder.md': 'You code.', 'project/': '' });
  const loaded = await load(place);
  expect(await resolveAgent(loaded, 'codr', env)).toEqual({ type: 'unknown', name: 'codr', nearest: 'coder' });
  expect(await resolveAgent(loaded, 'tester', env)).toEqual({ type: 'unknown', name: 'tester' });
});

const file = 'home/agents/bad.md';

test.each([
  [
    'an unknown key',
    '---\nmodel: offline\ntoools: all\n---\nX',
    `${file}:3:1 toools: unknown key "toools"; did you mean "tools"?`,
  ],
  [
    'a wrong type',
    '---\nlimits:\n  steps: many\n---\nX',
    `${file}:3:10 limits.steps: must be a number, not text.`,
  ],
  ['an empty list of tools', '---\ntools: []\n---\nX', `${file}:2:8 tools: must not be empty.`],
  [
    'a dangling model',
    '---\n\nmodel: fats\n---\nX',
    `${file}:3:8 model: unknown model "fats"; known are offline, testing.`,
  ],
  [
    'a list that dangles',
    '---\npolicy:\n  - default\n  - strikt\n---\nX',
    `${file}:4:5 policy[1]: unknown policy "strikt"; known are default.`,
  ],
  ['YAML that cannot be read', '---\nmodel: "a\n---\nX', `${file}:3:1: invalid YAML: Missing closing "quote`],
  ['a list for front matter', '---\n- a\n---\nX', `${file}:2:1: must be an object, not a list.`],
  [
    'front matter without end',
    '---\nmodel: a\n',
    `${file}:1:1: the front matter that starts here has no closing --- line.`,
  ],
  ['no prompt', '---\nmodel: offline\n---\n', `${file}: the prompt below the front matter is missing.`],
  [
    'another name',
    '---\nname: good\n---\nX',
    `${file}:2:7 name: the file declares the name "bad"; the name must match the file name.`,
  ],
  [
    'a missing variable',
    '---\ndescription: ${NONE}\n---\nX',
    `${file}:2:14 description: the environment variable NONE is not set; set it, or write \${NONE:-…} to give a default.`,
  ],
])('[C74] a bad file with %s is an error that names file and place', async (_kind, text, problem) => {
  await using place = await temporaryFolder({ [file]: text, 'project/': '' });
  expect(await problemsOf(place, 'bad')).toEqual([problem]);
});

test('[C114] a file without front matter is a prompt; variables are replaced above it, not in it', async () => {
  await using place = await temporaryFolder({
    'home/agents/plain.md': '# You\n\n---\nare ${KEY}.\n',
    'home/agents/keyed.md': '---\r\ndescription: has ${KEY}\r\n---\r\nuse ${KEY}',
    'project/': '',
  });
  expect((await agent(place, 'plain')).prompt).toBe('# You\n\n---\nare ${KEY}.');
  const { description, prompt } = await agent(place, 'keyed');
  expect({ description, prompt }).toEqual({ description: 'has k', prompt: 'use ${KEY}' });
});

test('[C114] an agent of the user is read when it is wanted, so an edit is seen', async () => {
  await using place = await temporaryFolder({ 'home/agents/a.md': 'one', 'project/': '' });
  const loaded = await load(place);
  await place.write('home/agents/a.md', 'two');
  const resolved = await resolveAgent(loaded, 'a', env);
  expect(resolved.type === 'resolved' && resolved.agent.prompt).toBe('two');
});

test('[C115] prompts are text or files beside the configuration; those of a project must be in .rondo', async () => {
  await using place = await temporaryFolder({
    'home/config.json': '{"prompts":{"p":{"file":"p.txt"}},"agents":{"user":{"prompt":"p"}}}',
    'home/p.txt': 'from the user\n',
    'project/.rondo/config.json':
      '{"prompts":{"in":{"file":"prompts/in.md"},"out":{"file":"../out.md"}},"agents":{"in":{"prompt":"in"},"out":{"prompt":"out"}}}',
    'project/.rondo/prompts/in.md': 'from the project',
    'project/out.md': 'not hashed',
  });
  expect((await agent(place, 'user')).prompt).toBe('from the user');
  expect((await agent(place, 'in')).prompt).toBe('from the project');
  expect(await problemsOf(place, 'out')).toEqual([
    "project/.rondo/config.json:1:49 prompts.out: can't read its file; a project keeps its prompts in .rondo/, as plain files.",
  ]);
});

test('external agents come from acpAgents, or from an agent with a command', async () => {
  await using place = await temporaryFolder({
    'home/config.json': JSON.stringify({
      acpAgents: { gemini: { command: 'gemini', args: ['--acp'], env: { A: '${KEY}' } } },
      agents: { own: { command: 'own', tools: 'none' } },
    }),
    'project/': '',
  });
  const { runs, command, prompt } = await agent(place, 'gemini');
  expect({ runs, command, prompt }).toEqual({
    runs: 'external',
    command: { command: 'gemini', args: ['--acp'], env: { A: 'k' } },
    prompt: '',
  });
  expect(await agent(place, 'own')).toMatchObject({ name: 'own', runs: 'external', tools: 'none' });
});

test('the last layer that defines an agent wins, whichever way it defines it', async () => {
  await using place = await temporaryFolder({
    'home/agents/a.md': 'user file',
    'home/config.json':
      '{"prompts":{"p":"user entry"},"agents":{"b":{"prompt":"p"},"assistant":{"model":"offline"}}}',
    'project/rondo.json': '{"prompts":{"q":"project entry"},"agents":{"a":{"prompt":"q"}}}',
    'project/.rondo/agents/b.md': 'project file',
  });
  expect((await agent(place, 'a')).prompt).toBe('project entry');
  expect((await agent(place, 'b')).prompt).toBe('project file');
  const { prompt, model } = await agent(place, 'assistant');
  expect({ prompt, model }).toEqual({ prompt: assistantPrompt, model: 'offline' });
  expect(listAgents(await load(place))).toEqual([
    { name: 'a', layer: 'project' },
    { name: 'assistant', layer: 'user' },
    { name: 'b', layer: 'project' },
  ]);
});

test('limits: the configuration, then the agent, then the command line', async () => {
  await using place = await temporaryFolder({
    'home/config.json':
      '{"limits":{"steps":1,"toolCalls":1,"cost":1},"agents":{"a":{"limits":{"steps":2,"toolCalls":2}}}}',
    'project/': '',
  });
  expect((await agent(place, 'a', { limits: { toolCalls: 3 } })).limits).toEqual({
    steps: 2,
    toolCalls: 3,
    cost: 1,
  });
});

test('[C11] with nothing configured there is the assistant, which grants nothing by itself', async () => {
  await using place = await temporaryFolder({ 'project/': '' });
  const { rules, tools, limits, prompt } = await agent(place, 'assistant');
  expect({ rules, tools, limits, prompt }).toEqual({
    rules: [],
    tools: 'all',
    limits: {},
    prompt: assistantPrompt,
  });
});

test('an agent may name an endpoint and its own model there', async () => {
  await using place = await temporaryFolder({
    'home/config.json': '{"agents":{"a":{"endpoint":"ollama","model":"qwen3:8b"}}}',
    'project/': '',
  });
  expect((await agent(place, 'a')).model).toBe('ollama/qwen3:8b');
});
