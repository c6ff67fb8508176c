import { expect, test } from 'vitest';

import { parseConfig, readConfigFile } from './config-file.ts';
import { problemToText } from './config-problem.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const environment = { from: { KEY: 'secret', EMPTY: '' } };

async function problemsOf(text: string): Promise<string[]> {
  const read = await parseConfig(text, 'rondo.json', environment);
  return read.type === 'invalid' ? read.problems.map(problemToText) : [];
}

async function configOf(text: string): Promise<unknown> {
  const read = await parseConfig(text, 'rondo.json', environment);
  return read.type === 'read' ? read.file.config : read.problems.map(problemToText);
}

test('[C115] a file is JSON with comments, trailing commas and a byte order mark', async () => {
  await using home = await temporaryFolder({
    'rondo.json':
      '\uFEFF// mine\n{\n  /* the usual */ "defaultAgent": "coder",\n  "limits": { "steps": 3, },\n}\n',
  });
  const read = await readConfigFile(home.at('rondo.json'), environment);
  expect(read.type === 'read' ? read.file.config : read).toEqual({ defaultAgent: 'coder', limits: { steps: 3 } });
});

test('a file that is not there is absent; a folder of its name is a problem', async () => {
  await using home = await temporaryFolder({ 'rondo.json/': '' });
  expect(await readConfigFile(home.at('other.json'), environment)).toEqual({ type: 'absent' });
  expect(await readConfigFile(home.at('rondo.json'), environment)).toEqual({
    type: 'invalid',
    problems: [
      {
        code: 'unreadable',
        file: home.at('rondo.json'),
        line: 0,
        column: 0,
        path: '',
        message: "can't read rondo.json: it is a folder.",
      },
    ],
  });
});

test('[C115] ${NAME} is replaced in values, once, and never in keys', async () => {
  const text = `{
    "endpoints": {
      "a": { "type": "openai", "apiKey": "\${KEY}", "headers": { "\${KEY}": "x-\${KEY}-\${KEY}" } },
      "b": { "type": "openai", "region": "\${NONE:-eu}", "profile": "\${EMPTY:-me}", "apiKey": "\${EMPTY}" },
      "c": { "type": "openai", "apiKey": "$\${KEY}" },
    },
  }`;
  expect(await configOf(text)).toEqual({
    endpoints: {
      a: { type: 'openai', apiKey: 'secret', headers: { '${KEY}': 'x-secret-secret' } },
      b: { type: 'openai', region: 'eu', profile: 'me', apiKey: '' },
      c: { type: 'openai', apiKey: '${KEY}' },
    },
  });
});

test("[C115] variables inside a variable's value aren't replaced", async () => {
  const read = await parseConfig('{ "store": "${A}" }', 'rondo.json', { from: { A: '${B}', B: 'b' } });
  expect(read.type === 'read' ? read.file.config : read).toEqual({ store: '${B}' });
});

test('a value made from variables remembers them', async () => {
  const read = await parseConfig('{ "store": "${A}${B:-x}", "defaultAgent": "a" }', 'rondo.json', {
    from: { A: 'a' },
  });
  expect(read.type === 'read' ? read.file.variables : read).toEqual(new Map([['store', ['A', 'B']]]));
});

test('[C115] names a missing variable and its place', async () => {
  const read = await parseConfig('{\n  "store": "sqlite:${WHERE}/x"\n}', 'rondo.json', environment);
  expect(read).toEqual({
    type: 'invalid',
    problems: [
      {
        code: 'missing-variable',
        file: 'rondo.json',
        line: 2,
        column: 12,
        path: 'store',
        message: 'the environment variable WHERE is not set; set it, or write ${WHERE:-…} to give a default.',
      },
    ],
    rest: expect.objectContaining({ file: 'rondo.json' }) as unknown,
  });
});

test('[C115] endless nesting is a problem with its place, not an overflow', async () => {
  const depth = 1000;
  expect(await problemsOf(`{\n"agents": ${'['.repeat(depth)}${']'.repeat(depth)}}`)).toEqual([
    'rondo.json:2:75 agents: this is nested deeper than 64.',
  ]);
});

test('[C115] names an unknown key, its place and the nearest valid one', async () => {
  const read = await parseConfig(
    '{\n  "agents": {\n    "coder": { "modle": "fast" } } }',
    'rondo.json',
    environment,
  );
  expect(read).toEqual({
    type: 'invalid',
    problems: [
      {
        code: 'unknown-key',
        file: 'rondo.json',
        line: 3,
        column: 16,
        path: 'agents.coder.modle',
        message: 'unknown key "modle"; did you mean "model"?',
        nearest: 'model',
      },
    ],
    rest: expect.objectContaining({ file: 'rondo.json' }) as unknown,
  });
});

test.each([
  ['{"limits":{"steps":"3"}}', 'rondo.json:1:20 limits.steps: must be a number, not text.'],
  ['{"limits":{"steps":1.5}}', 'rondo.json:1:20 limits.steps: must be a whole number, not a number.'],
  ['{"limits":{"steps":-1}}', 'rondo.json:1:20 limits.steps: must be at least 0.'],
  ['{"server":{"port":70000}}', 'rondo.json:1:19 server.port: must be at most 65535.'],
  ['{"agents":[]}', 'rondo.json:1:11 agents: must be an object, not a list.'],
  ['{"agents":{"a":null}}', 'rondo.json:1:16 agents.a: must be an object, not null.'],
  ['{"agents":{"a":{"tools":[]}}}', 'rondo.json:1:25 agents.a.tools: must not be empty.'],
  ['{"agents":{"a":{"tools":{"only":[]}}}}', 'rondo.json:1:33 agents.a.tools.only: must not be empty.'],
  ['{"agents":{"a":{"tools":"non"}}}', 'rondo.json:1:25 agents.a.tools: cannot be "non"; did you mean "none"?'],
  ['{"agents":{"a":{"mode":"bach"}}}', 'rondo.json:1:24 agents.a.mode: cannot be "bach"; did you mean "batch"?'],
  ['{"agents":{"a":{"endpoint":"x"}}}', 'rondo.json:1:28 agents.a.endpoint: needs "model" beside it.'],
  ['{"models":{"m":{"model":"x"}}}', 'rondo.json:1:12 models.m.endpoint: is missing; it must be text.'],
  [
    '{"mcpServers":{"t":{"args":[]}}}',
    'rondo.json:1:20 mcpServers.t: needs either "command" (a local server) or "url" (a remote one).',
  ],
  ['{"themes":{"t":{"user":"\\u001b[8m"}}}', 'rondo.json:1:24 themes.t.user: is not a color.'],
  [
    '{"agents":{"a b":{}}}',
    'rondo.json:1:18 agents["a b"]: invalid name: it must be letters, digits and . _ : / -.',
  ],
])('[C115] a wrong value in %s is named with its place', async (text, problem) => {
  expect(await problemsOf(text)).toEqual([problem]);
});

test('all problems of a file are reported at once, in the order of the file', async () => {
  const text = '{\n"limits": { "step": 1 },\n"store": 3,\n"agent": {}\n}';
  expect(await problemsOf(text)).toEqual([
    'rondo.json:2:13 limits.step: unknown key "step"; did you mean "steps"?',
    'rondo.json:3:10 store: must be text, not a number.',
    'rondo.json:4:1 agent: unknown key "agent"; did you mean "agents"?',
  ]);
});

test.each([
  ['', 'rondo.json:1:1: invalid JSON: Unexpected end of input found.'],
  ['{\n "store": }', 'rondo.json:2:11: invalid JSON: Unexpected token RBrace found.'],
  ['{"store":"a",\n"store":"b"}', 'rondo.json:2:1 store: duplicate key "store".'],
  ['{"__proto__":{}}', "rondo.json:1:2 __proto__: this name isn't allowed."],
])('text that cannot be read, such as %j, is a problem with its place', async (text, problem) => {
  expect(await problemsOf(text)).toEqual([problem]);
});

test('[S10] a deny or an ask for a tool that is not there is a problem with the nearest name', async () => {
  expect(
    await problemsOf('{"policies":{"default":{"deny":["bash(rm *)"],"ask":["shel(ls*)"],"allow":["bsh(ls)"]}}}'),
  ).toEqual([
    'rondo.json:1:33 policies.default.deny[0]: unknown tool "bash"; did you mean "shell"?',
    'rondo.json:1:54 policies.default.ask[0]: unknown tool "shel"; did you mean "shell"?',
  ]);
});

test('a rule that cannot be read is a problem with its place', async () => {
  expect(await problemsOf('{"policies":{"default":{"allow":["read"],"deny":["shell", "shell("]}}}')).toEqual([
    'rondo.json:1:59 policies.default.deny[1]: invalid rule "shell("; write tool or tool(pattern), such as shell(git status*).',
  ]);
});
