import { expect, test } from 'vitest';

import { previewOf } from '../kernel/content.ts';
import type { CallId } from '../kernel/ids.ts';
import type { Message } from '../kernel/message.ts';
import type { ModelResult } from '../ports/model.ts';
import { modelRequest, recordingSink } from '../testing/model-samples.ts';
import { createOfflineModel } from './offline-model.ts';

const quick = { wordMs: 0, wholeMs: 0 };
const model = createOfflineModel({ pace: quick });
const tool = (name: string) => ({ name, description: '', parameters: {} });
const everyTool = 'read list glob grep git_status git_diff git_log run_tests write edit delete shell'
  .split(' ')
  .map(tool);

type ToolMessage = Extract<Message, { role: 'tool' }>;
type Answer = Pick<ToolMessage, 'outcome' | 'text'>;
const success = (text: string): Answer => ({ outcome: 'success', text });

/** A whole turn: answers every call until there are none. */
async function turn(prompt: string, answer: (tool: string, args: unknown) => Answer, tools = everyTool) {
  const messages: Message[] = [{ role: 'user', text: prompt }];
  const calls: (readonly [string, unknown])[] = [];
  for (;;) {
    const result = await model.call(
      modelRequest({ messages: [...messages], tools }),
      recordingSink(),
      new AbortController().signal,
    );
    if (result.type !== 'completed') throw new Error(`ended as ${result.type}`);
    const ids = result.calls.map((call) => ({ ...call, id: call.id as CallId }));
    messages.push({ role: 'assistant', text: result.text, calls: ids });
    if (ids.length === 0) return { calls, texts: textsOf(messages) };
    // Parallel calls may settle in any order.
    for (const { id, tool, args } of ids.toReversed()) {
      calls.push([tool, JSON.parse(args)]);
      messages.push({ role: 'tool', call: id, tool, ...answer(tool, JSON.parse(args)) });
    }
  }
}

function textsOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ role, text }) => (role === 'assistant' && text !== '' ? [previewOf(text)] : []));
}

const textOf = (result: ModelResult) => (result.type === 'completed' ? result.text : result.type);

test('streams word by word; the words together are the text; usage is estimated and free [C19]', async () => {
  const sink = recordingSink();
  const request = modelRequest({ messages: [{ role: 'user', text: 'hello' }] });
  const before = structuredClone({ ...request, read: undefined });
  const result = await model.call(request, sink, new AbortController().signal);
  expect(result).toMatchObject({ type: 'completed', text: sink.reply, calls: [], stop: 'end' });
  expect(result).toMatchObject({ usage: { cost: 0, estimated: true } });
  expect(sink.heard.length).toBeGreaterThan(20);
  expect(sink.reply).toContain('not a language model');
  expect({ ...request, read: undefined }).toEqual(before);
  expect(textOf(await model.call(request, recordingSink(), new AbortController().signal))).toBe(sink.reply);
});

test('stops between two words when it is cancelled [C19]', async () => {
  const slow = createOfflineModel({ pace: { wordMs: 5, wholeMs: 60_000 } });
  const abort = new AbortController();
  const sink = recordingSink();
  const settled = slow.call(modelRequest({ messages: [{ role: 'user', text: 'help' }] }), sink, abort.signal);
  await expect.poll(() => sink.heard.length).toBeGreaterThan(3);
  abort.abort();
  const heard = sink.heard.length;
  expect(await settled).toEqual({ type: 'cancelled' });
  expect(sink.heard.length).toBe(heard);
});

test('writes nothing if it is cancelled before it begins', async () => {
  const sink = recordingSink();
  expect(await model.call(modelRequest(), sink, AbortSignal.abort())).toEqual({ type: 'cancelled' });
  expect(sink.heard).toEqual([]);
});

test('calls no tool that is not offered, and says which', async () => {
  const { calls, texts } = await turn('run the tests', () => success(''), [tool('read')]);
  expect(calls).toEqual([]);
  expect(texts).toEqual([
    '**Not done:** running the tests was left out. The tool `run_tests` is not offered in this session.',
  ]);
});

test('changes nothing in a session that may only read', async () => {
  const { calls, texts } = await turn('delete a.txt, but do not change anything', () => success(''));
  expect(calls).toEqual([]);
  const held = await turn('what would happen if you run `rm a.txt`', () => success(''));
  expect(held.calls).toEqual([]);
  expect(texts.length).toBe(1);
});

test('runs several steps in order and reports each when it is done', async () => {
  const answer = (name: string) =>
    name === 'read'
      ? ({ outcome: 'error', text: 'a.txt does not exist.' } as const)
      : success('npm test: all tests passed\n# tests 1');
  const { calls, texts } = await turn('create a.txt with "hi", then run the tests', answer);
  expect(calls.map(([name]) => name)).toEqual(['read', 'write', 'run_tests']);
  expect(texts).toEqual([
    '**Step 1 of 2:** create a.txt with "hi"\n\n✓ Created `a.txt` (1 line).\n\n```\nhi\n```',
    '**Step 2 of 2:** run the tests\n\n✓ **All tests passed** (`npm test`)\n\n```\n# tests 1\n```\n\nDone: 2 of 2 steps.',
  ]);
});

test('several steps stop at a failure; "if it fails" runs only then', async () => {
  const answer = (name: string) =>
    name === 'run_tests' ? success('npm test: failed (exit code 1)\n\nOutput:\nno') : success('x');
  const stopped = await turn('run the tests, then delete a.txt', answer);
  expect(stopped.calls.map(([name]) => name)).toEqual(['run_tests']);
  expect(stopped.texts.at(-1)).toContain(
    '**Stopped after step 1**, for it did not succeed. Not done: `delete a.txt`.',
  );
  const fallback = await turn('run the tests. If they fail, delete a.txt', answer);
  expect(fallback.calls.map(([name]) => name)).toEqual(['run_tests', 'delete']);
  const conditional = await turn('run the tests. If they pass, delete a.txt', answer);
  expect(conditional.calls.map(([name]) => name)).toEqual(['run_tests']);
});

test('a step that is not understood stops the rest and is not dropped silently', async () => {
  const { calls, texts } = await turn('run the tests, then push it, then delete a.txt', () =>
    success('npm test: all tests passed'),
  );
  expect(calls.map(([name]) => name)).toEqual(['run_tests']);
  expect(texts[0]).toContain(
    "**Step 2 of 3:** push it\n\nI'm Rondo's offline model, not a language model, so I can't do that",
  );
  expect(texts[0]).toContain('**Stopped after step 2**, for it did not succeed. Not done: `delete a.txt`.');
});

test('a refusal is reported as one, and ends the plan', async () => {
  const { texts } = await turn('rename a.txt to b.txt', (name, args) => {
    if (name === 'write') return { outcome: 'refused', text: 'The user said no.' };
    return (args as { path: string }).path === 'a.txt'
      ? success('1\thi')
      : { outcome: 'error', text: 'b.txt does not exist.' };
  });
  expect(texts).toEqual(['**Not done:** writing `b.txt` was not allowed. The user said no.']);
});

test('a rename never overwrites, and leaves alone what it could not write back as it was', async () => {
  const taken = await turn('rename a.txt to b.txt', () => success('1\thi'));
  expect(taken.texts).toEqual(['**Not done:** `b.txt` exists already, and I overwrite nothing.']);
  const lossy = await turn('rename a.txt to b.txt', (_, args) =>
    (args as { path: string }).path === 'a.txt'
      ? success('1\thi\n[Format: CRLF line ends]')
      : { outcome: 'error', text: 'b.txt does not exist.' },
  );
  expect(lossy.calls.map(([name]) => name)).toEqual(['read', 'read']);
  expect(lossy.texts.at(-1)).toContain('run `mv a.txt b.txt`');
});

test('appending edits the end of the file, as much of it as stands nowhere else', async () => {
  const { calls } = await turn('append "d" to a.txt', (name) =>
    success(name === 'read' ? '1\ta\n2\tb\n3\ta\n4\tb' : ''),
  );
  const edits = [{ old_text: 'b\na\nb', new_text: 'b\na\nb\nd' }];
  expect(calls.at(-1)).toEqual(['edit', { path: 'a.txt', edits }]);
});

test('finds a file by its name alone if there is only one', async () => {
  const { calls, texts } = await turn('show heat.ts', (name, args) => {
    if (name === 'glob') return success('src/heat.ts');
    return (args as { path: string }).path === 'src/heat.ts'
      ? success('1\tx')
      : { outcome: 'error', text: 'heat.ts does not exist.' };
  });
  expect(calls.map(([name]) => name)).toEqual(['read', 'glob', 'read']);
  expect(texts).toEqual(['`src/heat.ts`, 1 line\n\n```ts\nx\n```']);
});

test("a file's content can't break out of its block", async () => {
  const { texts } = await turn('show a.md', () => success('1\t```\n2\t# no heading'));
  expect(texts).toEqual(['`a.md`, 2 lines\n\n````md\n```\n# no heading\n````']);
});

test('a reply that was turned down is not said again', async () => {
  const messages: Message[] = [
    { role: 'user', text: 'hello' },
    { role: 'assistant', text: 'Hello.', calls: [] },
    { role: 'notice', text: 'The user turned this reply down: too short' },
  ];
  const result = await model.call(modelRequest({ messages }), recordingSink(), new AbortController().signal);
  expect(textOf(result)).toContain('Please put it another way');
});

test('reads results that are kept as blobs', async () => {
  const id = 'c1' as CallId;
  const blob = { blob: 'b1', length: 9, preview: '1\tcut' } as unknown as Exclude<Message['text'], string>;
  const messages: Message[] = [
    { role: 'user', text: 'show a.txt' },
    { role: 'assistant', text: '', calls: [{ id, tool: 'read', args: '{}' }] },
    { role: 'tool', call: id, tool: 'read', outcome: 'success', text: blob },
  ];
  const request = modelRequest({ messages, tools: everyTool, read: async () => '1\twhole' });
  const result = await model.call(request, recordingSink(), new AbortController().signal);
  expect(textOf(result)).toBe('`a.txt`, 1 line\n\n```\nwhole\n```');
});

test('delegates where a tool for it is offered, with the arguments that its schema wants', async () => {
  const item = {
    type: 'object',
    properties: { id: { type: 'string' }, prompt: { type: 'string' } },
    required: ['id', 'prompt'],
  };
  const delegate = {
    name: 'delegate',
    description: '',
    parameters: { type: 'object', properties: { tasks: { type: 'array', items: item } } },
  };
  const { calls } = await turn(
    'delegate to two workers: list the files; run the tests',
    () => success('Started.'),
    [delegate],
  );
  const tasks = [
    { id: 'task-1', prompt: 'list the files' },
    { id: 'task-2', prompt: 'run the tests' },
  ];
  expect(calls).toEqual([['delegate', { tasks }]]);
  const joined = await turn('delegate: list the files and run the tests', () => success('Started.'), [delegate]);
  expect(joined.calls).toEqual([['delegate', { tasks }]]);
});

test('a file that is not there is answered with the one that was probably meant', async () => {
  const { texts } = await turn('read src/crat.ts', (name, args) => {
    if (name === 'read') return { outcome: 'error', text: 'src/crat.ts does not exist.' };
    const { pattern } = args as { readonly pattern: string };
    return success(pattern === '**/*.ts' ? 'src/cart.ts\nsrc/invoice.ts' : '[No match.]');
  });
  expect(texts).toEqual([
    'There is no file `src/crat.ts` here, and none of that name in another folder. Did you mean `src/cart.ts`?',
  ]);
});

test('the tests of a folder that is its own project are run there, any other name says which', async () => {
  const inApi = (holds: string) =>
    turn('run the tests in api', (name) => success(name === 'list' ? holds : 'x: all tests passed'));
  expect((await inApi('app.py\npyproject.toml')).calls.at(-1)).toEqual(['run_tests', { path: 'api' }]);
  expect((await inApi('app.py')).calls.at(-1)).toEqual(['run_tests', { filter: 'api' }]);
});

test('a search lists definitions first', async () => {
  const { texts } = await turn('where is total defined?', (name) =>
    success(
      name === 'grep' ? 'a.ts:1:import { total } from "b"\nb.ts:4:export function total() {' : '[No match.]',
    ),
  );
  expect(texts[0]?.split('\n').filter((line) => line.startsWith('- '))).toEqual([
    '- `b.ts:4` `export function total() {`',
    '- `a.ts:1` `import { total } from "b"`',
  ]);
});

test('[C102] whether words forbid an edit is for the gate to say, which knows what rules allow', async () => {
  const text = 'The prompt says "don\'t change anything", so nothing is changed in this turn.';
  const refused = (): Answer => ({ outcome: 'refused', text });
  const { calls, texts } = await turn("don't change anything: replace a by b in F.md", refused);
  expect(calls.map(([tool]) => tool)).toContain('edit');
  expect(texts.at(-1)).toContain(text);
});

test('makes a plan and runs nothing', async () => {
  const { calls, texts } = await turn('make a plan: 1. list the files 2. run the tests', () => success(''));
  expect(calls).toEqual([]);
  expect(texts[0]).toContain('1. list the files — look around\n2. run the tests — run the tests');
});

test('[C19] answers questions about past work from an imported history', async () => {
  const messages: readonly Message[] = [
    { role: 'quoted', from: 'user', text: 'Fix the date parser' },
    { role: 'quoted', from: 'assistant', text: 'Fixed.' },
    { role: 'user', text: 'what did we do so far?' },
  ];
  const request = modelRequest({ messages: [...messages], tools: everyTool });
  const result = await model.call(request, recordingSink(), new AbortController().signal);
  expect(textOf(result)).toBe(
    'This session has an imported history with 1 request, which I only quote:\n\n- Fix the date parser\n\nNothing has been done since.',
  );
});

test('[C19] after a file was created, "this repository" still means the repository', async () => {
  const messages: readonly Message[] = [
    { role: 'user', text: 'create phone.md with hi' },
    { role: 'assistant', text: 'Created.', calls: [] },
    { role: 'user', text: 'what is in this repository?' },
  ];
  const request = modelRequest({ messages: [...messages], tools: everyTool });
  const result = await model.call(request, recordingSink(), new AbortController().signal);
  expect(result.type === 'completed' && result.calls.map(({ tool }) => tool)).not.toContain('read');
});
